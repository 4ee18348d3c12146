//! Views: the world as agents of a profile see it, each a world of its own that follows every edit of the one it is a view
//! of. Planners, charts, replanners and fields work on a view as on any world.
//!
//! A view is free where the agent's whole body fits, and weighs as much as the heaviest ground under it. All of its ground
//! is of kind 0. Its borders are open where all cells of the body may cross them (`views/walls.rs`), and its links are those
//! of the world. Views are kept in a list that only grows while the world is shared, so that one can be made, and found,
//! without the right to edit.
//!
//! Not here: what a profile is (`profile.rs`), and how a view's weights are found (`clearance.rs`).

mod walls;

use super::clearance::{Lens, weights_of};
use super::footprint::Form;
use super::ground::Grounded;
use super::hex::{HexGrid, HexShape};
use super::layers::{Influence, Layer, LayerError, Layers};
use super::profile::{Profile, ViewError};
use super::square::{GridError, SquareGrid};
use super::{Area, Change, Edit, Rules, Snapshot, Space, Terrain, World};
use std::sync::OnceLock;

/// A kind of world of which there are views: [`SquareGrid`] and [`HexGrid`]. The trait is public in a private module, so that
/// only this crate implements it.
pub trait Viewed: Space<Edit = Edit> {
    /// The form of the cells.
    const FORM: Form;

    /// Returns a space of this one's size, shape, rules and metric with other weights, one for each column of each row.
    ///
    /// # Errors
    /// When there is no memory for it.
    fn with_weights(&self, weights: &[u8]) -> Result<Self, GridError>;
    /// Returns the weight of the ground under an agent at each place of an area, row by row; 0 where it does not fit.
    fn look(&self, lens: &Lens, layers: &Layers, places: Area) -> Vec<u8>;
    /// Returns the weights of an area, row by row; 0 where a cell is blocked.
    fn weights_of(&self, area: Area) -> Vec<u8>;
    /// Gives a view the borders and links of the space that it is a view of.
    fn take_passages(&mut self, base: &Self, lens: &Lens);
    /// Returns the edits that give a view the borders that an agent finds now around the places of an area.
    fn changed_borders(&self, lens: &Lens, view: &Self, places: Area) -> Vec<Edit>;
}

/// Writes the items of [`Viewed`] that the ground of a grid answers.
macro_rules! viewed_by_ground {
    () => {
        fn look(&self, lens: &Lens, layers: &Layers, places: Area) -> Vec<u8> {
            lens.look(self.ground(), layers, places)
        }

        fn weights_of(&self, area: Area) -> Vec<u8> {
            weights_of(self.ground(), area)
        }

        fn take_passages(&mut self, base: &Self, lens: &Lens) {
            self.ground_mut().take_passages_of(base.ground(), lens.footprint());
        }

        fn changed_borders(&self, lens: &Lens, view: &Self, places: Area) -> Vec<Edit> {
            self.ground().changed_borders(lens.footprint(), view.ground(), places)
        }
    };
}

impl Viewed for SquareGrid {
    const FORM: Form = Form::Square;

    fn with_weights(&self, weights: &[u8]) -> Result<SquareGrid, GridError> {
        let rules = Rules { metric: Some(self.metric()), ..self.rules() };
        SquareGrid::from_weights(self.width(), self.height(), weights, rules)
    }

    viewed_by_ground!();
}

impl Viewed for HexGrid {
    const FORM: Form = Form::Hex;

    fn with_weights(&self, weights: &[u8]) -> Result<HexGrid, GridError> {
        let metric = Some(self.metric());
        match self.shape() {
            HexShape::Rectangle => HexGrid::from_weights(self.width(), self.height(), weights, metric),
            HexShape::Hexagon => HexGrid::hexagon_from_weights(self.width() / 2, weights, metric),
        }
    }

    viewed_by_ground!();
}

/// Returns the space as it is through a lens.
fn seen<S: Viewed>(space: &S, lens: &Lens, layers: &Layers) -> Result<S, GridError> {
    let (width, height) = space.size();
    let all = Area { x: 0, y: 0, width: width as u16, height: height as u16 };
    let mut view = space.with_weights(&space.look(lens, layers, all))?;
    view.take_passages(space, lens);
    Ok(view)
}

/// A view of a world.
struct View<S: Space> {
    profile: Profile,
    lens: Lens,
    world: World<S>,
    /// Brings the view up to date with the world after edits. It is [`follow_edits`]; kept here, so that worlds of every kind can
    /// be edited, and only those that can have views need to know how.
    follow: fn(&mut View<S>, &S, &Layers, &[S::Edit]),
    next: OnceLock<Box<View<S>>>,
}

/// Brings a view up to date with its world after edits: first the ground, then borders, then links.
fn follow_edits<S: Viewed>(view: &mut View<S>, space: &S, layers: &Layers, edits: &[Edit]) {
    let mut own = changed_ground(view, space, layers, &mut edits.iter().map(near));
    for edit in edits {
        match edit.change {
            Change::Terrain(_) => {}
            Change::Border(..) => {
                let places = view.lens.places_over(near(edit), space.size());
                own.extend(space.changed_borders(&view.lens, &view.world, places));
            }
            Change::Link { .. } => own.push(*edit),
        }
    }
    view.world.apply(&own).expect("a view is as large as its world");
}

/// Returns an area with all cells whose ground or borders an edit changes. Those of borders belong to two cells.
fn near(edit: &Edit) -> Area {
    let Area { x, y, width, height } = edit.area;
    match edit.change {
        Change::Border(..) => {
            let (left, up) = (x.min(1), y.min(1));
            Area { x: x - left, y: y - up, width: width + left + 1, height: height + up + 1 }
        }
        Change::Terrain(_) | Change::Link { .. } => edit.area,
    }
}

/// Returns the edits that give a view the ground that an agent finds now in some areas of its world.
fn changed_ground<S: Viewed>(
    view: &View<S>,
    space: &S,
    layers: &Layers,
    areas: &mut dyn Iterator<Item = Area>,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    for area in areas {
        let places = view.lens.places_over(area, space.size());
        let (was, is) = (view.world.weights_of(places), space.look(&view.lens, layers, places));
        if was != is {
            let at = |x, y| usize::from(y) * usize::from(places.width) + usize::from(x);
            let changed = |x, y| (was[at(x, y)] != is[at(x, y)]).then(|| Terrain::of_weight(is[at(x, y)]));
            edits.extend(Edit::cover(places, changed));
        }
    }
    edits
}

/// The views of a world, and the layers that agents may heed.
pub(super) struct Views<S: Space> {
    first: OnceLock<Box<View<S>>>,
    layers: Layers,
}

impl<S: Space> Default for Views<S> {
    fn default() -> Views<S> {
        Views { first: OnceLock::new(), layers: Layers::default() }
    }
}

impl<S: Space> Views<S> {
    fn all(&self) -> impl Iterator<Item = &View<S>> {
        std::iter::successors(self.first.get(), |view| view.next.get()).map(|view| &**view)
    }

    /// Calls `update` with each view and the layers.
    fn each(&mut self, mut update: impl FnMut(&mut View<S>, &Layers)) {
        let mut next = self.first.get_mut();
        while let Some(view) = next {
            update(view, &self.layers);
            next = view.next.get_mut();
        }
    }

    /// Brings all views up to date with a world after edits.
    pub(super) fn edited(&mut self, space: &S, edits: &[S::Edit]) {
        self.each(|view, layers| (view.follow)(view, space, layers, edits));
    }
}

impl<S: Viewed> World<S> {
    /// Returns the world as an agent of a profile sees it, and makes that view if this is the first time it is asked for. An
    /// agent may stand where its whole body fits on ground that it may enter, and walks as on the heaviest ground under it.
    /// Rules and metric are those of this world, so that costs can be compared.
    ///
    /// Every edit of this world reaches its views, so that a planner for a view follows by [`crate::Planner::sync`], or by
    /// [`crate::Planner::repair`] with [`World::edits_since`] of the view. An edit that changes nothing for an agent is no
    /// edit of its view. An agent with a body of one cell to which all ground is what it is sees this world itself.
    ///
    /// ```
    /// use portolan::{Cell, Edit, Planner, Profile, Query, Rules, Scratch, SquareGrid, Terrain, World};
    /// let mut world = World::from(SquareGrid::open(60, 40, Rules::default())?);
    /// let giant = Profile::square(3)?;
    /// let mut planner = Planner::new(world.view(&giant)?, "hpa-star")?;
    ///
    /// world.apply(&[Edit::new(Cell::new(30, 20), Terrain::BLOCKED)])?;
    /// let view = world.view(&giant)?;
    /// assert!(!view.is_free(Cell::new(28, 18)), "its lower right cell would stand in the wall");
    /// planner.sync(view)?;
    /// assert!(planner.find(view, Query::new((5, 19), (50, 19)), &mut Scratch::new())?.route().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the body does not fit the form of the cells, the profile heeds a layer that the world does not have, or there is
    /// no memory for the view.
    pub fn view(&self, profile: &Profile) -> Result<&World<S>, ViewError> {
        if profile.is_plain() {
            return Ok(self);
        }
        let mut place = &self.views.first;
        while let Some(view) = place.get() {
            if view.profile == *profile {
                return Ok(&view.world);
            }
            place = &view.next;
        }
        let lens = Lens::new(profile, S::FORM)?;
        if !profile.layers().iter().all(|&layer| self.views.layers.has(layer)) {
            return Err(ViewError::NoLayer);
        }
        let world = World::from(seen(&*self.current, &lens, &self.views.layers)?);
        let mut made =
            Box::new(View { profile: profile.clone(), lens, world, follow: follow_edits::<S>, next: OnceLock::new() });
        // Another thread may have put a view here meanwhile, perhaps of the same profile.
        while let Err(back) = place.set(made) {
            made = back;
            let there = place.get().expect("it was found to be set");
            if there.profile == *profile {
                return Ok(&there.world);
            }
            place = &there.next;
        }
        Ok(&place.get().expect("it was set a moment ago").world)
    }

    /// Drops the view of a profile and returns whether there was one. Asked for again, it is made anew, as another world:
    /// planners that were made for the old one are stale.
    pub fn drop_view(&mut self, profile: &Profile) -> bool {
        let mut kept = Vec::new();
        let mut next = self.views.first.take();
        while let Some(mut view) = next {
            next = view.next.take();
            kept.push(view);
        }
        let before = kept.len();
        kept.retain(|view| view.profile != *profile);
        let found = kept.len() < before;
        for mut view in kept.into_iter().rev() {
            if let Some(after) = self.views.first.take() {
                view.next = OnceLock::from(after);
            }
            self.views.first = OnceLock::from(view);
        }
        found
    }

    /// Returns the profiles of which the world has views, in the order in which they were made.
    pub fn profiles(&self) -> impl Iterator<Item = &Profile> {
        self.views.all().map(|view| &view.profile)
    }

    /// Returns the bytes of memory that the views and layers of the world take, spare copies of views included.
    pub fn view_bytes(&self) -> usize {
        let copies = |world: &World<S>| world.bytes() + world.spare.iter().map(|spare| spare.bytes()).sum::<usize>();
        let views = self.views.all().map(|view| size_of::<View<S>>() + view.lens.bytes() + copies(&view.world));
        views.sum::<usize>() + self.views.layers.bytes()
    }

    /// Adds a layer of influence, such as threat or congestion, with a number for each cell that is 0 until
    /// [`World::influence`] changes it. Agents whose [`Profile`] heeds the layer add its numbers to the weights of ground,
    /// up to 255; for all others nothing changes.
    ///
    /// # Errors
    /// When there is no memory for the layer.
    pub fn add_layer(&mut self) -> Result<Layer, LayerError> {
        let size = self.size();
        self.views.layers.add(size)
    }

    /// Applies changes to a layer in order, and has the views of agents that heed it follow. If one of the changes is at
    /// fault, none is applied. The world itself keeps its revision.
    ///
    /// ```
    /// use portolan::{Cell, Influence, Profile, Rules, SquareGrid, World};
    /// let mut world = World::from(SquareGrid::open(20, 20, Rules::default())?);
    /// let threat = world.add_layer()?;
    /// let wary = Profile::new().heeding(threat);
    /// world.influence(threat, &[Influence::new(Cell::new(7, 7), 30)])?;
    /// assert_eq!(world.view(&wary)?.terrain(Cell::new(7, 7)).weight(), 31);
    /// assert_eq!(world.terrain(Cell::new(7, 7)).weight(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the world does not have the layer, or a change reaches off the grid or covers no cell.
    pub fn influence(&mut self, layer: Layer, changes: &[Influence]) -> Result<(), LayerError> {
        self.views.layers.change(layer, changes)?;
        let space: &S = &self.current;
        self.views.each(|view, layers| {
            if view.lens.heeds(layer) {
                let edits = changed_ground(view, space, layers, &mut changes.iter().map(|change| change.area));
                view.world.apply(&edits).expect("a view is as large as its world");
            }
        });
        Ok(())
    }
}

impl<S: Viewed> Snapshot<S> {
    /// Returns the world of the snapshot as an agent of a profile sees it, as [`World::view`] does, but apart from the world
    /// that it was taken of.
    ///
    /// # Errors
    /// When the body does not fit the form of the cells, the profile heeds a layer, or there is no memory for the view.
    pub fn seen_by(&self, profile: &Profile) -> Result<Snapshot<S>, ViewError> {
        if profile.is_plain() {
            return Ok(self.clone());
        }
        if !profile.layers().is_empty() {
            return Err(ViewError::NoLayer);
        }
        let lens = Lens::new(profile, S::FORM)?;
        Ok(Snapshot::from(seen(&**self, &lens, &Layers::default())?))
    }
}
