//! What views cost and share, what edits of the base do to them and to what was made for them, and errors.

use super::{Land, Model};
use crate::storms::made;
use portolan::generate::Random;
use portolan::{
    Area, Cell, Edit, Footing, HexCell, HexGrid, Influence, LayerError, Planner, Profile, Query, QueryError, Rules,
    Scratch, SquareGrid, Terrain, ViewError, World, algorithm,
};

const WATER: u8 = 3;

fn open() -> World {
    World::from(SquareGrid::open(70, 50, Rules::default()).expect("a sound size"))
}

#[test]
fn kinds_cost_nothing_until_there_are_some() {
    let mut world = open();
    let bytes = world.bytes();
    world.apply(&[Edit::new(Cell::new(3, 4), Terrain::BLOCKED)]).expect("a sound edit");
    world.apply(&[Edit::new(Cell::new(3, 4), Terrain::GROUND)]).expect("a sound edit");
    assert!(!world.has_kinds() && world.bytes() == bytes);
    let water = Terrain::of_weight(2).with_kind(WATER);
    let lake = Area { x: 10, y: 10, width: 5, height: 4 };
    world.apply(&[Edit::new(lake, water)]).expect("a sound edit");
    assert!(world.has_kinds() && world.bytes() > bytes);
    assert_eq!((world.terrain(Cell::new(14, 13)), world.terrain(Cell::new(15, 13))), (water, Terrain::GROUND));
    world
        .apply(&[Edit::new(Cell::new(11, 11), Terrain::BLOCKED), Edit::new(Cell::new(12, 11), Terrain::GROUND)])
        .expect("sound");
    assert_eq!([11, 12].map(|x| world.terrain(Cell::new(x, 11))), [Terrain::BLOCKED, Terrain::GROUND]);
    let again = SquareGrid::from_weights(70, 50, &world.to_weights(), world.rules()).expect("a sound size");
    let again = again.with_kinds(&world.to_kinds()).expect("one for each cell");
    assert!(world.cells().all(|cell| world.terrain(cell) == again.terrain(cell)));
    assert_eq!(again.with_rules(Rules::default()).terrain(Cell::new(14, 13)), water);
    assert!(SquareGrid::open(4, 4, Rules::default()).expect("sound").with_kinds(&[1; 15]).is_err());
    assert_eq!(Terrain::BLOCKED.with_kind(7), Terrain::BLOCKED);
}

#[test]
fn a_plain_profile_sees_the_world_itself() {
    let world = open();
    let seen = world.view(&Profile::new().with(WATER, Footing::AsItIs)).expect("a sound profile");
    assert_eq!((seen.revision(), world.view_bytes()), (world.revision(), 0));
}

#[test]
fn equal_profiles_share_a_view_and_bytes_are_told() {
    let mut world = open();
    let ogre = Profile::square(2).expect("sound").with(1, Footing::FORBIDDEN).with(WATER, Footing::Weight(4));
    let same = Profile::square(2).expect("sound").with(WATER, Footing::Weight(4)).with(1, Footing::FORBIDDEN);
    let first = world.view(&ogre).expect("sound").revision();
    let bytes = world.view_bytes();
    assert!(bytes >= world.view(&ogre).expect("sound").bytes());
    assert_eq!((world.view(&same).expect("sound").revision(), world.view_bytes()), (first, bytes));
    let boat = Profile::new().with(0, Footing::FORBIDDEN);
    world.view(&boat).expect("sound");
    assert_eq!(world.profiles().cloned().collect::<Vec<_>>(), [ogre.clone(), boat.clone()]);
    assert!(world.drop_view(&same) && !world.drop_view(&same));
    assert_eq!(world.profiles().cloned().collect::<Vec<_>>(), [boat]);
    assert_ne!(world.view(&ogre).expect("sound").revision(), first, "a view made anew is another world");
}

#[test]
fn threads_that_ask_at_once_get_one_view() {
    let world = open();
    let profiles: Vec<Profile> = (2..6).map(|size| Profile::square(size).expect("sound")).collect();
    let revisions: Vec<Vec<_>> = std::thread::scope(|scope| {
        let ask = |shift: usize| {
            let (world, profiles) = (&world, &profiles);
            move || {
                (0..4)
                    .map(|at| (at + shift) % 4)
                    .map(|at| (at, world.view(&profiles[at]).expect("sound").revision()))
                    .collect()
            }
        };
        let threads: Vec<_> = (0..8).map(|shift| scope.spawn(ask(shift))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect::<Vec<Vec<(usize, _)>>>()
    })
    .into_iter()
    .map(|mut seen| {
        seen.sort_by_key(|&(at, _)| at);
        seen
    })
    .collect();
    assert!(revisions.iter().all(|seen| *seen == revisions[0]));
    assert_eq!(world.profiles().count(), 4);
}

#[test]
fn an_edit_that_changes_nothing_for_an_agent_is_no_edit_of_its_view() {
    let mut world = open();
    let giant = Profile::square(3).expect("sound");
    world.apply(&[Edit::new(Cell::new(20, 20), Terrain::BLOCKED)]).expect("sound");
    let before = world.view(&giant).expect("sound").revision();
    world.apply(&[Edit::new(Cell::new(20, 20), Terrain::BLOCKED)]).expect("sound");
    let water = Terrain::GROUND.with_kind(WATER);
    world.apply(&[Edit::new(Cell::new(40, 20), water)]).expect("sound");
    assert_eq!(world.view(&giant).expect("sound").revision(), before);
    world.apply(&[Edit::new(Cell::new(21, 20), Terrain::BLOCKED)]).expect("sound");
    let view = world.view(&giant).expect("sound");
    let edits = view.edits_since(before).expect("not forgotten");
    let changed: usize = edits.iter().map(|edit| usize::from(edit.area.width) * usize::from(edit.area.height)).sum();
    assert_eq!(changed, 3, "three places more are too near to the wall");
    let mut planner = Planner::new(view, "hpa-star").expect("it suits");
    world.apply(&[Edit::new(Cell::new(60, 40), Terrain::BLOCKED)]).expect("sound");
    let view = world.view(&giant).expect("sound");
    let query = Query::new((1, 1), (50, 40));
    assert!(matches!(planner.find(view, query, &mut Scratch::new()), Err(QueryError::Stale(_))));
    planner.sync(view).expect("it can follow");
    assert!(planner.find(view, query, &mut Scratch::new()).expect("a sound query").route().is_some());
    assert!(matches!(planner.find(&world, query, &mut Scratch::new()), Err(QueryError::Stale(_))), "of another world");
}

#[test]
fn a_view_of_a_view_follows_too() {
    let mut world = open();
    let (pair, second) = (Profile::square(2).expect("sound"), Profile::square(3).expect("sound"));
    world.view(&pair).expect("sound").view(&second).expect("sound");
    world.apply(&[Edit::new(Cell::new(30, 30), Terrain::BLOCKED)]).expect("sound");
    let whole = Profile::square(4).expect("sound");
    let (nested, at_once) =
        (world.view(&pair).expect("sound").view(&second).expect("sound"), world.view(&whole).expect("sound"));
    assert!(world.cells().all(|cell| nested.is_free(cell) == at_once.is_free(cell)));
}

#[test]
fn what_cannot_be_is_refused_and_nothing_changes() {
    let mut world = open();
    let layer = world.add_layer().expect("memory");
    let other = {
        let mut other = open();
        other.add_layer().expect("memory");
        other.add_layer().expect("memory")
    };
    let heeding = Profile::new().heeding(other);
    assert_eq!(world.view(&heeding).err(), Some(ViewError::NoLayer));
    assert_eq!(world.influence(other, &[]), Err(LayerError::NoLayer));
    let off = Influence::new(Area { x: 69, y: 0, width: 2, height: 1 }, 5);
    let wary = Profile::new().heeding(layer);
    let before = world.view(&wary).expect("sound").revision();
    let wrong = world.influence(layer, &[Influence::new(Cell::new(1, 1), 5), off]);
    assert!(matches!(wrong, Err(LayerError::OffMap(_))));
    assert_eq!(world.view(&wary).expect("sound").revision(), before);
    assert_eq!(world.snapshot().seen_by(&wary).err(), Some(ViewError::NoLayer));
    let hexes = World::from(HexGrid::open(20, 20, None).expect("a sound size"));
    let square = Profile::square(2).expect("sound");
    assert_eq!(hexes.view(&square).err(), Some(ViewError::SquareOnHexes(2)));
    assert_eq!(hexes.profiles().count() + world.profiles().count(), 1);
    let round = hexes.view(&Profile::round(1).expect("sound")).expect("sound").snapshot();
    assert_eq!(
        [(0, 5), (1, 5), (19, 4), (18, 4)].map(|(x, y)| round.is_free(HexCell::at(x, y))),
        [false, true, false, true]
    );
}

#[test]
fn an_agent_larger_than_the_world_fits_nowhere() {
    let world = World::from(SquareGrid::open(9, 5, Rules::default()).expect("a sound size"));
    for profile in [Profile::square(6), Profile::square(255), Profile::round(3), Profile::round(127)] {
        assert_eq!(world.view(&profile.expect("sound")).expect("sound").free_cells(), 0);
    }
    assert_eq!(world.view(&Profile::square(5).expect("sound")).expect("sound").free_cells(), 5);
    assert_eq!(world.view(&Profile::round(2).expect("sound")).expect("sound").free_cells(), 5);
}

#[test]
fn a_snapshot_seen_by_an_agent_is_its_view() {
    let mut random = Random::new(77);
    for number in 0..20 {
        let model = Model::random::<SquareGrid>(&mut random, number, 40);
        let world: World = model.world();
        let profile = Profile::round(1).expect("sound").with(2, Footing::FORBIDDEN);
        let (view, seen) = (world.view(&profile).expect("sound"), world.snapshot().seen_by(&profile).expect("sound"));
        assert!(world.cells().all(|cell| view.terrain(cell) == seen.terrain(cell)));
        assert_eq!((view.metric(), view.rules().corners), (world.metric(), world.rules().corners));
        assert!(seen.weight_at(Cell::new(0, 0)) == 0);
    }
}

/// Number of edits to the world of three views, and of edits from one comparison with charts built anew to the next.
const EDITS: usize = 50_000;
const LOOK: usize = 250;

#[test]
fn fifty_thousand_edits_leave_charts_of_views_as_new() {
    let mut random = Random::new(31);
    let mut world = made(Rules::default(), 5);
    let profiles = [
        Profile::square(2).expect("sound"),
        Profile::round(1).expect("sound").with(1, Footing::FORBIDDEN),
        Profile::new().with(1, Footing::Weight(3)).with(2, Footing::FORBIDDEN),
    ];
    let chart = |view: &World| {
        let algorithm = algorithm("hpa-star").expect("a known name");
        let settings = algorithm.settings(&[("cluster", "9")]).expect("sound settings");
        Planner::build(view, algorithm, settings).expect("it suits every world")
    };
    let mut charts: Vec<Planner> = profiles.iter().map(|profile| chart(world.view(profile).expect("sound"))).collect();
    for round in 1..=EDITS {
        let (x, y) = (random.below(60) as u16, random.below(44) as u16);
        let area = Area { x, y, width: 1 + random.below(2) as u16, height: 1 + random.below(2) as u16 };
        let weight = u8::from(random.below(5) > 1);
        world
            .apply(&[Edit::new(area, Terrain::of_weight(weight).with_kind(random.below(3) as u8))])
            .expect("on the map");
        for (profile, chart) in profiles.iter().zip(&mut charts) {
            let view = world.view(profile).expect("it is there");
            chart.sync(view).expect("it suits every world");
            if round % LOOK == 0 {
                let anew = chart.anew(view).expect("it suits every world");
                assert!(
                    chart.outline(view) == anew.outline(view) && chart.census(view) == anew.census(view),
                    "{round}"
                );
                let fresh = world.snapshot().seen_by(profile).expect("sound");
                assert!(world.cells().all(|cell| view.terrain(cell) == fresh.terrain(cell)), "{round}");
                assert_eq!(view.to_weights(), fresh.to_weights(), "{round}");
            }
        }
    }
}
