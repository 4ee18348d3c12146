//! The testbed game: the same bytes for a seed, agents that never stand in a wall or over a trap, keys and doors,
//! monsters, influence, followers, and crowds that play for long.

use portolan::{Cell, Rules, SquareGrid};
use portolan_formats::{Level, Pair, ascii};
use portolan_sim::testbed::{
    AgentState, Follower, Followers, Formation, GoalWork, Heading, Influence, Layer, Monster, Mood, Obstructed,
    Options, SetupError, Testbed, Traps,
};
use std::fmt::Write;
use std::time::Duration;

/// The level that a text draws.
fn level(text: &str) -> Level {
    Level::of(ascii::read(text.as_bytes(), Rules::default()).unwrap()).unwrap()
}

const KEEP: &str = include_str!("../../worlds/keep.txt");
const DUNGEON: &str = include_str!("../../worlds/dungeon.txt");
const MEADOW: &str = include_str!("../../worlds/meadow.txt");
/// The algorithms of most games here: plain and pruned searches, a chart, and one that is unlike the others.
const AGENTS: [&str; 4] = ["a-star successors=all", "a-star", "hpa-star", "dijkstra"];

/// Returns everything that can be seen of a game, as text.
fn told(game: &Testbed) -> String {
    let mut text = format!("tick {}\n", game.tick_count());
    for (number, agent) in game.agents().iter().enumerate() {
        let works = game.work(number).into_iter().map(|work| GoalWork { time: Duration::ZERO, ..work });
        let (at, state, keys) = (agent.at(), agent.state().name(), agent.keys());
        writeln!(text, "{} {at} {state} {keys} {:?} {:?}", agent.name(), agent.route(), works.collect::<Vec<_>>())
            .unwrap();
        writeln!(text, "{:?}", agent.followers().iter().map(Follower::at).collect::<Vec<_>>()).unwrap();
    }
    for monster in game.monsters() {
        let (at, arrow, mood) = (monster.at(), monster.heading().arrow(), monster.mood().name());
        writeln!(text, "{} {at} {arrow} {mood} {}", monster.letter(), monster.seen().len()).unwrap();
    }
    writeln!(text, "{:?}", game.traps()).unwrap();
    for (name, layer) in Layer::NAMED {
        let sum: u64 = game.influence(layer).iter().map(|&value| u64::from(value)).sum();
        writeln!(text, "{name} {sum}").unwrap();
    }
    text
}

/// Checks what must be true in every tick.
fn check(game: &Testbed) {
    let grid = &game.level().grid;
    for (number, agent) in game.agents().iter().enumerate() {
        let world = game.world(number);
        assert!(world.is_free(agent.at()), "{} stands in a wall at {}", agent.name(), agent.at());
        assert!(game.traps().iter().all(|trap| trap.at != agent.at()), "a trap under {}", agent.name());
        for follower in agent.followers() {
            assert!(world.is_free(follower.at()), "a follower stands in a wall at {}", follower.at());
        }
        let closed = game.level().pairs.iter().skip(agent.keys());
        assert!(closed.clone().all(|pair| !world.is_free(pair.door)), "a door is open without its key");
    }
    for monster in game.monsters() {
        assert!(grid.is_free(monster.at()) && game.traps().iter().all(|trap| trap.at != monster.at()));
        assert!(game.level().pairs.iter().all(|pair| pair.key != monster.at() && pair.door != monster.at()));
        assert!(!game.level().starts().contains(&monster.at()), "starts are safe");
    }
    let kept = game.level().goals().into_iter().chain(game.level().starts());
    assert!(kept.clone().all(|cell| game.traps().iter().all(|trap| trap.at != cell)));
}

/// Plays to the end, or until so many ticks have passed.
fn played(mut game: Testbed, most: u64) -> Testbed {
    while game.tick_count() < most && game.tick() {
        check(&game);
    }
    game
}

#[test]
fn a_seed_is_a_game() {
    let influence = Influence { threat: 3, weather: 2, congestion: 1 };
    let followers = Followers { count: 3, formation: Formation::Flock };
    let options = Options { traps: Traps::new(4.0, 10), influence, followers, vulnerable: true, ..Options::default() };
    let game = |seed| {
        let options = Options { seed, ..options.clone() };
        told(&played(Testbed::new(level(KEEP), &AGENTS, options).unwrap(), 400))
    };
    assert_eq!(game(1), game(1));
    assert_ne!(game(1), game(2));
    let elsewhere = std::thread::scope(|scope| {
        let games: Vec<_> = (0..3).map(|_| scope.spawn(|| game(1))).collect();
        games.into_iter().map(|game| game.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(elsewhere.iter().all(|text| *text == game(1)), "threads play the same game");
}

#[test]
fn every_agent_fetches_its_keys_and_opens_its_doors() {
    for (drawing, pairs) in [(KEEP, 2), (DUNGEON, 1), (MEADOW, 1)] {
        for (obstructed, in_legs) in
            [(Obstructed::WalkOn, false), (Obstructed::Stop, false), (Obstructed::WalkOn, true)]
        {
            let options = Options { traps: Traps::new(3.0, 10), obstructed, in_legs, ..Options::default() };
            let game = played(Testbed::new(level(drawing), &AGENTS, options).unwrap(), 20_000);
            for (number, agent) in game.agents().iter().enumerate() {
                assert_eq!((agent.state(), agent.keys()), (AgentState::Finished, pairs), "{}", agent.name());
                assert_eq!(agent.at(), game.level().pairs[pairs - 1].door);
                assert_eq!(game.work(number).len(), 2 * pairs);
                assert!(game.work(number).iter().all(|work| work.steps > 0 && work.searches > 0));
                assert!(game.work(number).iter().all(|work| work.cost >= work.steps as f64 - 1e-9));
            }
        }
    }
}

#[test]
fn without_traps_equal_starts_walk_equally_far() {
    let game = played(Testbed::new(level(MEADOW), &AGENTS, Options::default()).unwrap(), 1000);
    let cost = |agent: usize| GoalWork::sum(&game.work(agent)).cost;
    assert!((cost(0) - cost(1)).abs() < 1e-9 && (cost(0) - cost(3)).abs() < 1e-9 && cost(2) >= cost(0));
    let sums: Vec<GoalWork> = (0..4).map(|agent| GoalWork::sum(&game.work(agent))).collect();
    assert!(sums[0].operations() < sums[3].operations(), "a guided search looks at less");
    assert!(sums.iter().all(|sum| sum.searches == 2), "nothing changes, so that each goal takes one search");
}

#[test]
fn heavy_ground_slows_walkers() {
    let ticks = |middle: &str| {
        let text = format!("AAAAAAAAA\np{middle}xX\nAAAAAAAAA\n");
        played(Testbed::new(level(&text), &["a-star"], Options::default()).unwrap(), 1000).tick_count()
    };
    assert_eq!(ticks("......"), 8);
    assert!(ticks("..99..") > 20);
}

#[test]
fn an_obstructed_agent_walks_on_or_stops() {
    // The only way is a corridor; traps cut it again and again.
    let corridor = format!("{0}\np{1}xX\n{0}\n", "A".repeat(63), ".".repeat(60));
    let states = |obstructed| {
        let traps = Traps { percent: 2.0, every: 3, lasts: 3..=9 };
        let options = Options { traps, obstructed, ..Options::default() };
        let mut game = Testbed::new(level(&corridor), &["a-star"], options).unwrap();
        let mut states = Vec::new();
        while game.tick() && game.tick_count() < 20_000 {
            check(&game);
            states.push(game.agents()[0].state());
        }
        assert!(game.is_over());
        states
    };
    let (walks_on, stops) = (states(Obstructed::WalkOn), states(Obstructed::Stop));
    assert!(walks_on.contains(&AgentState::Obstructed) && !stops.contains(&AgentState::Obstructed));
    assert!(stops.contains(&AgentState::Waiting));
}

#[test]
fn traps_are_capped_and_come_at_their_time() {
    let options = Options { traps: Traps::new(10.0, 7), ..Options::default() };
    let mut game = Testbed::new(level(MEADOW), &["a-star"], options).unwrap();
    let most = game.level().grid.free_cells() / 10;
    let (mut before, mut greatest) = (game.traps().to_vec(), 0);
    while game.tick() {
        let changed = before != game.traps();
        assert!(!changed || (game.tick_count() - 1).is_multiple_of(7), "tick {}", game.tick_count());
        before = game.traps().to_vec();
        greatest = greatest.max(before.len());
        assert!(before.len() <= most);
    }
    assert_eq!(greatest, most);
}

#[test]
fn monsters_chase_and_catch_only_the_vulnerable() {
    let hall = format!("{0}\nA{1}A\nAp{2}jxXA\nA{1}A\n{0}\n", "A".repeat(40), ".".repeat(38), ".".repeat(34));
    let play = |vulnerable| {
        let (mut caught, mut moods) = (0, Vec::new());
        for seed in 0..20 {
            let options = Options { vulnerable, seed, ..Options::default() };
            let mut game = Testbed::new(level(&hall), &["a-star"], options).unwrap();
            while game.tick_count() < 300 && game.tick() {
                check(&game);
                moods.push(game.monsters()[0].mood());
            }
            caught += game.work(0).iter().map(|work| work.caught).sum::<u64>();
        }
        (caught, moods)
    };
    let (caught, moods) = play(true);
    assert!(caught > 0 && moods.contains(&Mood::Chasing), "{caught}");
    assert_eq!(play(false).0, 0);
}

#[test]
fn monsters_remember_and_give_up() {
    let mut moods = Vec::new();
    for seed in 0..20 {
        let options = Options { seed, ..Options::default() };
        let mut game = Testbed::new(level(KEEP), &["a-star", "dijkstra"], options).unwrap();
        while game.tick_count() < 400 && game.tick() {
            check(&game);
            moods.extend(game.monsters().iter().map(Monster::mood));
        }
    }
    for mood in [Mood::Wandering, Mood::Chasing, Mood::Remembering, Mood::GivingUp] {
        assert!(moods.contains(&mood), "no monster is ever {}", mood.name());
    }
}

#[test]
fn a_monster_sees_a_quarter_and_no_walls() {
    let mut game = Testbed::new(level(KEEP), &["a-star"], Options::default()).unwrap();
    for _ in 0..100 {
        game.tick();
        for monster in game.monsters() {
            let range = f64::from(monster.kind().range);
            for &cell in monster.seen() {
                let (dx, dy) =
                    (f64::from(cell.x) - f64::from(monster.at().x), f64::from(cell.y) - f64::from(monster.at().y));
                assert!(dx.hypot(dy) <= range && game.level().grid.is_free(cell));
                assert!(monster.heading().faces(monster.at(), cell));
            }
        }
    }
}

#[test]
fn influence_is_added_to_weights_and_taken_away_again() {
    let influence = Influence { threat: 5, weather: 4, congestion: 3 };
    let options = Options { influence, traps: Traps::new(2.0, 5), ..Options::default() };
    let mut game = Testbed::new(level(KEEP), &AGENTS, options).unwrap();
    for _ in 0..300 {
        game.tick();
        check(&game);
    }
    // What lies on the ground now must be what monsters see and where agents stand now, and nothing older.
    let width = game.level().grid.width();
    let index = |cell: Cell| usize::from(cell.y) * width + usize::from(cell.x);
    let mut threat = vec![0; width * game.level().grid.height()];
    for monster in game.monsters() {
        for &cell in monster.seen() {
            threat[index(cell)] += monster.threat(cell, 5) as u16;
        }
    }
    assert_eq!(game.influence(Layer::Threat), threat);
    let crowd = game.influence(Layer::Congestion)[index(game.agents()[0].at())];
    assert!(crowd >= 3 && crowd.is_multiple_of(3), "{crowd}");
    assert!(game.influence(Layer::Weather).iter().any(|&value| value >= 4));
    let unsuited = Testbed::new(level(KEEP), &["jump-point"], Options { influence, ..Options::default() });
    assert!(matches!(unsuited.err(), Some(SetupError::Influenced(_))));
}

#[test]
fn the_player_is_steered_and_needs_keys() {
    let mut game = Testbed::new(level("oXx.p\n.....\n"), &["a-star"], Options::default()).unwrap();
    let [up, right, down, left] = [0, 2, 4, 6].map(|eighths| Heading::ALL[eighths]);
    assert!(!game.steer(right), "the door is closed");
    assert!(!game.steer(up), "the world ends");
    assert!([down, right, right, up].into_iter().all(|heading| game.steer(heading)));
    assert_eq!(game.player().map(|player| (player.keys(), player.opened())), Some((1, 0)));
    game.tick();
    assert!(game.steer(left), "the key opens the door");
    assert_eq!(game.player().map(|player| (player.at(), player.opened())), Some((Cell::new(1, 0), 1)));
}

#[test]
fn what_cannot_be_played_is_told_before_it_begins() {
    let fault =
        |agents: &[&str], options: Options| Testbed::new(level(DUNGEON), agents, options).err().unwrap().to_string();
    let traps = |percent| Options { traps: Traps::new(percent, 20), ..Options::default() };
    assert_eq!(fault(&["a-star"], traps(200.0)), "traps can cover 0 to 100 % of the map, not 200 %");
    assert_eq!(fault(&["a-star"], traps(-1.0)), "traps can cover 0 to 100 % of the map, not -1 %");
    assert_eq!(fault(&["z-star"], traps(5.0)), "there is no algorithm \"z-star\"");
    assert_eq!(fault(&[], traps(5.0)), "there is no agent");
    let pause = Options { traps: Traps::new(5.0, 0), ..Options::default() };
    assert_eq!(fault(&["a-star"], pause), "traps are updated every 1 tick or more, not 0");
}

#[test]
fn followers_keep_up_with_their_leader() {
    for formation in [Formation::File, Formation::Flock] {
        for drawing in [DUNGEON, MEADOW, KEEP] {
            let followers = Followers { count: 6, formation };
            let options = Options { followers, traps: Traps::new(1.0, 20), ..Options::default() };
            let mut game = played(Testbed::new(level(drawing), &["a-star"], options).unwrap(), 20_000);
            assert!(game.is_over(), "{formation:?}");
            for _ in 0..60 {
                game.tick();
                check(&game);
            }
            let leader = game.agents()[0].at();
            for follower in game.agents()[0].followers() {
                let (dx, dy) = (follower.at().x.abs_diff(leader.x), follower.at().y.abs_diff(leader.y));
                assert!(dx.max(dy) <= 9, "{formation:?}: a follower is left behind at {}, {leader}", follower.at());
            }
        }
    }
}

/// A field of 256 x 256 cells with walls, three pairs of keys and doors, and fifty monsters.
fn large() -> Level {
    let side = 256;
    let mut weights = vec![1_u8; side * side];
    for y in 0..side {
        for x in 0..side {
            let wall = x % 16 == 8 && y % 16 > 3 || y % 32 == 16 && x % 16 > 12;
            weights[y * side + x] = u8::from(!wall) * if (x / 24 + y / 24) % 7 == 3 { 3 } else { 1 };
        }
    }
    let grid = SquareGrid::from_weights(side, side, &weights, Rules::default()).unwrap();
    let pair = |letter, key: (u16, u16), door: (u16, u16)| Pair { letter, key: key.into(), door: door.into() };
    let free = |cell: &Cell| grid.is_free(*cell);
    let monsters = (0..50).map(|i| Cell::new(5 + i * 5, 20 + i * 4)).filter(free).map(|cell| (cell, 'f')).collect();
    let npcs = (0..10).map(|i| Cell::new(10 + i, 2)).filter(free).collect();
    let pairs =
        vec![pair('x', (240, 10), (250, 250)), pair('y', (12, 240), (130, 130)), pair('z', (20, 130), (245, 2))];
    Level { grid, player: None, npcs, monsters, pairs }
}

#[test]
fn two_hundred_agents_play_for_long_and_memory_stays_flat() {
    let agents: Vec<&str> = (0..200).map(|i| ["hpa-star", "a-star", "dhpa-star", "pra-star"][i % 4]).collect();
    let options = Options { traps: Traps::new(2.0, 40), vulnerable: true, endless: true, ..Options::default() };
    let mut game = Testbed::new(large(), &agents, options).unwrap();
    let mut bytes = Vec::new();
    for tick in 0..1200 {
        assert!(game.tick());
        if tick % 10 == 0 {
            check(&game);
        }
        if tick % 200 == 199 {
            bytes.push(game.bytes());
        }
    }
    let walked: u64 = (0..200).flat_map(|agent| game.work(agent)).map(|work| work.steps).sum();
    assert!(walked > 100_000, "{walked}");
    let (early, late) = (bytes[1], bytes[5]);
    assert!(late < early * 2, "memory grows: {bytes:?}");
}
