//! Views of worlds, held against an oracle that knows the definitions alone: it tests every cell under a body, one by one, on
//! terrain that it edits itself.

mod sharing;
mod storm;
mod walls;

use crate::hex::oracle as hex_oracle;
use crate::oracle::costs_from;
use crate::random_worlds::check;
use crate::worlds::{Pictured, all_rules};
use portolan::generate::Random;
use portolan::{
    Area, Body, Cell, Edit, Footing, HexCell, HexGrid, HexShape, Influence, Layer, Metric, Planner, Profile, Rules,
    Scratch, SquareGrid, Terrain, Viewed, World,
};

/// A kind of grid, with the definitions that a view has to keep.
pub(crate) trait Land: Viewed + Pictured {
    /// Returns a grid of weights, one for each column of each row.
    fn of(shape: &Shape, weights: &[u8]) -> Self;
    /// Returns the place in a column and row.
    fn at(column: i32, row: i32) -> Self::Place;
    /// Returns the columns and rows that a body covers at a column and row.
    fn covered(body: Body, at: (i32, i32)) -> Vec<(i32, i32)>;
    /// Returns the least cost to the place in each column and row, row by row.
    fn truth(&self, from: Self::Place) -> Vec<Option<u64>>;
    /// Returns the weight of a place, 0 if it is blocked.
    fn weight_at(&self, at: Self::Place) -> u8;
    /// Gives the cells kinds.
    fn kinded(self, kinds: &[u8]) -> Self;
    /// Returns a random body.
    fn body(random: &mut Random) -> Body;
    /// Returns the metric of a grid.
    fn metric_of(&self) -> Metric;
    /// Whether a grid can be a hexagon.
    const HAS_HEXAGONS: bool;
}

/// What a random grid is made with.
#[derive(Clone)]
pub(crate) struct Shape {
    width: usize,
    height: usize,
    hexagon: bool,
    rules: Rules,
}

impl Land for SquareGrid {
    const HAS_HEXAGONS: bool = false;

    fn metric_of(&self) -> Metric {
        self.metric()
    }

    fn of(shape: &Shape, weights: &[u8]) -> SquareGrid {
        SquareGrid::from_weights(shape.width, shape.height, weights, shape.rules).expect("a sound size")
    }

    fn at(column: i32, row: i32) -> Cell {
        Cell::new(column as u16, row as u16)
    }

    fn covered(body: Body, (x, y): (i32, i32)) -> Vec<(i32, i32)> {
        let around = |reach: i32| (-reach..=reach).flat_map(move |dx| (-reach..=reach).map(move |dy| (dx, dy)));
        match body {
            Body::Square(size) => {
                let side = 0..i32::from(size);
                side.clone().flat_map(|dx| side.clone().map(move |dy| (x + dx, y + dy))).collect()
            }
            Body::Round(radius) => {
                let reach = i32::from(radius);
                around(reach)
                    .filter(|(dx, dy)| dx * dx + dy * dy <= reach * reach)
                    .map(|(dx, dy)| (x + dx, y + dy))
                    .collect()
            }
        }
    }

    fn truth(&self, from: Cell) -> Vec<Option<u64>> {
        costs_from(self, from)
    }

    fn weight_at(&self, at: Cell) -> u8 {
        self.terrain(at).weight()
    }

    fn kinded(self, kinds: &[u8]) -> SquareGrid {
        self.with_kinds(kinds).expect("one for each cell")
    }

    fn body(random: &mut Random) -> Body {
        if random.chance(50) { Body::Square(1 + random.below(4) as u16) } else { Body::Round(random.below(4) as u16) }
    }
}

impl Land for HexGrid {
    const HAS_HEXAGONS: bool = true;

    fn metric_of(&self) -> Metric {
        self.metric()
    }

    fn of(shape: &Shape, weights: &[u8]) -> HexGrid {
        let grid = if shape.hexagon {
            HexGrid::hexagon_from_weights(shape.width / 2, weights, shape.rules.metric)
        } else {
            HexGrid::from_weights(shape.width, shape.height, weights, shape.rules.metric)
        };
        grid.expect("a sound size")
    }

    fn at(column: i32, row: i32) -> HexCell {
        HexCell::at(column as u16, row as u16)
    }

    fn covered(body: Body, (column, row): (i32, i32)) -> Vec<(i32, i32)> {
        let Body::Round(radius) = body else { return vec![(column, row)] };
        let reach = i32::from(radius);
        let (q, r) = (column - row.div_euclid(2), row);
        let near = (-reach..=reach).flat_map(|dq| (-reach..=reach).map(move |dr| (dq, dr)));
        let near = near.filter(|(dq, dr)| (dq + dr).abs() <= reach);
        near.map(|(dq, dr)| (q + dq + (r + dr).div_euclid(2), r + dr)).collect()
    }

    fn truth(&self, from: HexCell) -> Vec<Option<u64>> {
        let costs = hex_oracle::costs_from(self, from);
        let rows = 0..self.height() as i32;
        rows.flat_map(|row| (0..self.width() as i32).map(move |column| Self::at(column, row)))
            .map(|at| costs.get(&at).copied())
            .collect()
    }

    fn weight_at(&self, at: HexCell) -> u8 {
        self.terrain(at).weight()
    }

    fn kinded(self, kinds: &[u8]) -> HexGrid {
        self.with_kinds(kinds).expect("one for each cell")
    }

    fn body(random: &mut Random) -> Body {
        Body::Round(random.below(4) as u16)
    }
}

/// A world by its definition alone: what every column and row is made of, and a layer.
pub(crate) struct Model {
    pub(crate) shape: Shape,
    weights: Vec<u8>,
    kinds: Vec<u8>,
    layer: Vec<u16>,
}

impl Model {
    /// Returns a random model; half of them have kinds, and one in three has weights.
    pub(crate) fn random<S: Land>(random: &mut Random, number: usize, most: u64) -> Model {
        let (mut width, mut height) = (1 + random.below(most) as usize, 1 + random.below(most) as usize);
        let hexagon = S::HAS_HEXAGONS && number.is_multiple_of(4);
        if hexagon {
            (width, height) = (width | 1, width | 1);
        }
        let mut rules = all_rules()[number % 4];
        let metrics = [None, Some((10, 14)), Some((1, 2)), Some((408, 577))];
        rules.metric = metrics[random.below(4) as usize].map(|(a, b)| Metric::new(a, b).expect("a sound metric"));
        let (blocked, weighted, kinded) = (random.below(30), random.below(3) == 0, random.chance(50));
        let weights: Vec<u8> = (0..width * height)
            .map(|_| {
                if random.chance(blocked) {
                    0
                } else if weighted {
                    1 + random.below(9) as u8
                } else {
                    1
                }
            })
            .collect();
        // Void cells of a hexagon are blocked for the model.
        let on_grid = |at: usize| !hexagon || HexShape::Hexagon.columns(width, at / width).contains(&(at % width));
        let shape = Shape { width, height, hexagon, rules };
        let kinds = weights
            .iter()
            .map(|&weight| if weight > 0 && kinded && random.chance(30) { 1 + random.below(3) as u8 } else { 0 });
        let kinds = kinds.collect();
        let layer = vec![0; weights.len()];
        let weights =
            weights.into_iter().enumerate().map(|(at, weight)| if on_grid(at) { weight } else { 0 }).collect();
        Model { shape, weights, kinds, layer }
    }

    /// Returns the world of the model.
    pub(crate) fn world<S: Land>(&self) -> World<S> {
        World::from(S::of(&self.shape, &self.weights).kinded(&self.kinds))
    }

    fn cells(&self, area: Area) -> impl Iterator<Item = usize> + '_ {
        let rows = area.y..area.y + area.height;
        let width = self.shape.width;
        let all = rows.flat_map(move |y| (area.x..area.x + area.width).map(move |x| (usize::from(x), usize::from(y))));
        let on_grid =
            move |&(x, y): &(usize, usize)| !self.shape.hexagon || HexShape::Hexagon.columns(width, y).contains(&x);
        all.filter(on_grid).map(move |(x, y)| y * width + x)
    }

    pub(crate) fn apply(&mut self, edit: &Edit) {
        let terrain = edit.terrain().expect("an edit of terrain");
        for at in self.cells(edit.area).collect::<Vec<_>>() {
            (self.weights[at], self.kinds[at]) = (terrain.weight(), terrain.kind());
        }
    }

    pub(crate) fn influence(&mut self, change: &Influence) {
        for at in self.cells(change.area).collect::<Vec<_>>() {
            self.layer[at] = (i32::from(self.layer[at]) + change.amount).clamp(0, 65_535) as u16;
        }
    }

    pub(crate) fn random_area(&self, random: &mut Random, most: u64) -> Area {
        let side = |random: &mut Random, side: usize| {
            let length = (1 + random.below(most)).min(side as u64);
            (random.below(side as u64 - length + 1) as u16, length as u16)
        };
        let ((x, width), (y, height)) = (side(random, self.shape.width), side(random, self.shape.height));
        Area { x, y, width, height }
    }

    pub(crate) fn random_edit(&self, random: &mut Random, most: u64) -> Edit {
        let weight = [0, 0, 1, 1, 1, 4, 255][random.below(7) as usize];
        let kind = random.below(4) as u8;
        Edit::new(self.random_area(random, most), Terrain::of_weight(weight).with_kind(kind))
    }

    /// Returns the weight of a column and row for an agent of a profile, 0 where its body does not fit: every cell under
    /// the body is looked at.
    fn weight<S: Land>(&self, profile: &Profile, at: (i32, i32)) -> u8 {
        let mut heaviest = 0;
        for (x, y) in S::covered(profile.body(), at) {
            if x < 0 || y < 0 || x >= self.shape.width as i32 || y >= self.shape.height as i32 {
                return 0;
            }
            let index = y as usize * self.shape.width + x as usize;
            let own = u32::from(self.weights[index]);
            let weight = match profile.footing(self.kinds[index]) {
                _ if own == 0 => 0,
                Footing::AsItIs => own,
                Footing::Weight(weight) => u32::from(weight),
                Footing::Percent(percent) => {
                    (f64::from(own) * f64::from(percent) / 100.0).round().clamp(1.0, 255.0) as u32
                }
            };
            if weight == 0 {
                return 0;
            }
            let more = if profile.layers().is_empty() { 0 } else { u32::from(self.layer[index]) };
            heaviest = heaviest.max((weight + more).min(255));
        }
        heaviest as u8
    }

    /// Returns the weights of all columns and rows for an agent of a profile.
    pub(crate) fn seen<S: Land>(&self, profile: &Profile) -> Vec<u8> {
        let (width, height) = (self.shape.width as i32, self.shape.height as i32);
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|at| self.weight::<S>(profile, at)).collect()
    }
}

/// Returns a random profile; one in three heeds the layer.
pub(crate) fn random_profile<S: Land>(random: &mut Random, layer: Layer) -> Profile {
    let profile = match S::body(random) {
        Body::Square(size) => Profile::square(size),
        Body::Round(radius) => Profile::round(radius),
    };
    let mut profile = profile.expect("a sound body");
    for kind in 0..4 {
        let footing = match random.below(8) {
            0 => Footing::FORBIDDEN,
            1 => Footing::Weight(1 + random.below(9) as u8),
            2 => Footing::Percent(1 + random.below(400) as u16),
            _ => Footing::AsItIs,
        };
        profile = profile.with(kind, footing);
    }
    if random.below(3) == 0 { profile.heeding(layer) } else { profile }
}

/// A place of a view and the true costs from it.
pub(crate) struct Truth<S: Land> {
    places: Vec<S::Place>,
    from: S::Place,
    costs: Vec<Option<u64>>,
}

impl<S: Land> Truth<S> {
    /// Compares a view with the model cell by cell, and finds out what it costs from a random place of it to all others.
    /// Returns `None` if the agent fits nowhere.
    pub(crate) fn of(model: &Model, world: &World<S>, profile: &Profile, random: &mut Random) -> Option<Truth<S>> {
        let view = world.view(profile).expect("a sound profile");
        let weights = model.seen::<S>(profile);
        let (width, height) = (model.shape.width as i32, model.shape.height as i32);
        let places: Vec<S::Place> = (0..height).flat_map(|y| (0..width).map(move |x| S::at(x, y))).collect();
        for (&at, &weight) in places.iter().zip(&weights) {
            assert_eq!(view.weight_at(at), weight, "{at} for {profile:?} on\n{}", world.picture());
        }
        let free: Vec<usize> = (0..weights.len()).filter(|&at| weights[at] > 0).collect();
        if free.is_empty() {
            return None;
        }
        let from = places[free[random.below(free.len() as u64) as usize]];
        // The metric of a view is that of its world, which may have been chosen when the world had other weights.
        let rules = Rules { metric: Some(world.metric_of()), ..model.shape.rules };
        let costs = S::of(&Shape { rules, ..model.shape.clone() }, &weights).truth(from);
        Some(Truth { places, from, costs })
    }

    /// Asks a planner for routes in the view from the place, and returns how many answers were judged.
    pub(crate) fn judge(&self, view: &World<S>, planner: &Planner<S>, random: &mut Random, queries: usize) -> usize {
        let Truth { places, from, costs } = self;
        let mut scratch = Scratch::new();
        let mut answers = 0;
        for _ in 0..queries {
            let to = random.below(places.len() as u64) as usize;
            if !view.contains(places[to]) {
                continue;
            }
            check(view, planner, *from, places[to], costs[to], &mut scratch);
            let nearest = view.nearest_reachable(*from, places[to]).expect("the start is free");
            let index = places.iter().position(|&at| at == nearest).expect("it lies on the grid");
            assert!(costs[index].is_some() && (nearest == places[to]) == costs[to].is_some());
            answers += 1;
        }
        answers
    }
}

/// Compares a view with the model cell by cell and asks planners for routes in it, one that has followed the view from edit
/// to edit and one made anew. Returns how many answers were judged.
pub(crate) fn judge<S: Land>(
    model: &Model,
    world: &World<S>,
    profile: &Profile,
    kept: &mut Option<Planner<S>>,
    random: &mut Random,
    queries: usize,
) -> usize {
    let Some(truth) = Truth::of(model, world, profile, random) else { return 0 };
    let view = world.view(profile).expect("a sound profile");
    let made = loop {
        let algorithm = S::algorithms()[random.below(S::algorithms().len() as u64) as usize];
        if algorithm.name != "ida-star"
            && let Ok(planner) = Planner::new(view, algorithm.name)
        {
            break planner;
        }
    };
    if let Some(planner) = kept {
        if planner.sync(view).is_err() {
            *kept = Some(planner.anew(view).unwrap_or_else(|_| made.clone()));
        }
    } else {
        *kept = Some(made.clone());
    }
    kept.iter().chain([&made]).map(|planner| truth.judge(view, planner, random, queries)).sum()
}
