//! A dungeon drawn in text, monsters that hunt the hero by one field, and a door that shuts behind him. Run it:
//! `cargo run --release -p portolan --example roguelike`.

use portolan::{Cell, Edit, Field, FleeMap, Rules, Scratch, SquareGrid, Terrain, World};
use std::error::Error;

const DUNGEON: [&str; 11] = [
    "################################",
    "#......#...........#...........#",
    "#.m....#...........#....m......#",
    "#......+...........+...........#",
    "#......#...........#...........#",
    "####.#####.##############.######",
    "#........#.#...................#",
    "#........+.+.........@.........#",
    "#...m....#.#...................#",
    "#........#.#...................#",
    "################################",
];

fn main() -> Result<(), Box<dyn Error>> {
    let (width, height) = (DUNGEON[0].len(), DUNGEON.len());
    let letter = |cell: Cell| DUNGEON[usize::from(cell.y)].as_bytes()[usize::from(cell.x)];
    let ground = |cell: Cell| u8::from(letter(cell) != b'#');
    let mut world = World::from(SquareGrid::from_fn(width, height, Rules::default(), ground)?);
    let cells = || (0..height as u16).flat_map(|y| (0..width as u16).map(move |x| Cell::new(x, y)));
    let mut hero = cells().find(|&cell| letter(cell) == b'@').ok_or("the dungeon has no hero")?;
    let mut monsters: Vec<Cell> = cells().filter(|&cell| letter(cell) == b'm').collect();
    let mut scratch = Scratch::new();

    for turn in 0..14 {
        if turn == 6 {
            // Shutting the door is an edit; nothing is planned anew by hand.
            world.apply(&[Edit::new(Cell::new(11, 7), Terrain::BLOCKED)])?;
            println!("The door falls shut.");
        }
        // One sweep gives every monster its next step, however many there are.
        let hunt = Field::new(&world, &[hero], None, &mut scratch)?;
        for at in 0..monsters.len() {
            let next = hunt.next(&world, monsters[at])?.filter(|next| *next != hero && !monsters.contains(next));
            monsters[at] = next.unwrap_or(monsters[at]);
        }
        // The hero goes where the monsters are far, and not into a dead end.
        let danger = Field::new(&world, &monsters, None, &mut scratch)?;
        let flee = FleeMap::new(&world, &danger, 120, &mut scratch)?;
        hero = flee.next(&world, hero)?.unwrap_or(hero);
        let steps = danger.cost(&world, hero)?.map_or(0, |cost| cost.0 / world.metric().straight());
        println!("turn {turn}: the hero is at {hero}, the nearest monster {steps} steps away");
    }
    for y in 0..height as u16 {
        let picture = |cell: Cell| match letter(cell) {
            _ if cell == hero => '@',
            _ if monsters.contains(&cell) => 'm',
            _ if !world.is_free(cell) => '#',
            _ => '.',
        };
        println!("{}", (0..width as u16).map(|x| picture(Cell::new(x, y))).collect::<String>());
    }
    Ok(())
}
