//! The figures of chapter 5 that show walks, drawn again on a generated building and city.

use super::courses::{FULL, Made, largest_part};
use super::{settings, thesis};
use crate::mind::MindWalk;
use crate::mind::draw::{Knowledge, on_cells};
use crate::picture::Picture;
use crate::progress::{Cancelled, Steps};
use portolan::any::AnySnapshot;
use portolan::{Snapshot, SquareGrid};
use portolan_sim::mind::{Lattice, Mind, MindScratch};

/// Values of C that are drawn.
const STRETCHES: [u16; 3] = [1, 5, 20];
/// Percent known that are drawn.
const KNOWN: [u16; 4] = [25, 50, 75, 100];

/// How many pictures there are.
pub(super) const COUNT: usize = STRETCHES.len() + 2 * KNOWN.len() + thesis::EXPERIMENT.len();

/// A picture of a walk.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) caption: String,
    pub(super) svg: String,
}

/// The pictures by the figures of the thesis.
pub(super) struct Pictures {
    /// Figure 5.4: values of C.
    pub(super) stretches: Vec<Drawn>,
    /// Figure 5.6: percent known, in a building.
    pub(super) building: Vec<Drawn>,
    /// Figure 5.10: percent known, in a city.
    pub(super) city: Vec<Drawn>,
    /// Figure 5.11: the four settings of the second experiment.
    pub(super) experiment: Vec<Drawn>,
}

/// A world to draw walks on, all between two ends.
struct Scene {
    world: Snapshot,
    lattice: Lattice,
    ends: [u32; 2],
    seed: u64,
}

/// Draws all pictures, on worlds of this size.
pub(super) fn draw(size: [usize; 2], seed: u64, steps: &mut Steps) -> Result<Pictures, Cancelled> {
    let (building, city) = (Scene::new(FULL[0].sized(size), seed), Scene::new(FULL[1].sized(size), seed));
    let known = KNOWN.map(|percent| (format!("{percent} %"), format!("knowledge={percent}")));
    let stretches = STRETCHES.map(|stretch| (format!("C = {stretch}"), format!("stretch={stretch}")));
    let experiment = thesis::EXPERIMENT.map(|(letter, text)| (letter.to_owned(), text.to_owned()));
    Ok(Pictures {
        stretches: building.all(&stretches, steps)?,
        building: building.all(&known, steps)?,
        city: city.all(&known, steps)?,
        experiment: building.all(&experiment, steps)?,
    })
}

impl Scene {
    /// Makes a world. Its ends lie in opposite corners.
    fn new(made: Made, seed: u64) -> Scene {
        let world = Snapshot::from(made.grid());
        let lattice = Lattice::<SquareGrid>::new(&world, None).expect("squares are hexagons of size 1");
        let part = largest_part(&lattice);
        let down = |&&node: &&u32| {
            let place = lattice.place(node);
            u32::from(place.x) + u32::from(place.y)
        };
        let ends =
            [part.iter().min_by_key(down), part.iter().max_by_key(down)].map(|end| *end.expect("a world has ground"));
        Scene { world, lattice, ends, seed }
    }

    /// Draws a walk for each of some settings with their names.
    fn all(&self, named: &[(String, String)], steps: &mut Steps) -> Result<Vec<Drawn>, Cancelled> {
        let draw = |(name, text): &(String, String)| {
            steps.advance(1)?;
            Ok(self.drawn(name, text))
        };
        named.iter().map(draw).collect()
    }

    fn drawn(&self, name: &str, text: &str) -> Drawn {
        let settings = settings(text);
        let (mut mind, mut scratch) = (Mind::new(&settings, self.seed), MindScratch::new());
        mind.learn(&self.lattice, self.ends[0], &mut scratch);
        let knowledge = Knowledge::of(&mind, &self.lattice);
        let walk = MindWalk::of(&mut mind, &self.lattice, self.ends, &mut scratch);
        let marks = on_cells::<SquareGrid>(&self.world, &self.lattice, &knowledge, &walk);
        let svg = Picture::new(&AnySnapshot::from(self.world.clone())).with_marks(marks).svg();
        let ratio = walk.ratio().map_or_else(String::new, |ratio| format!(", {ratio:.2} times A*"));
        let caption = format!("{name} ({text}): {} hexagons{ratio}", walk.steps.len());
        Drawn { caption, svg }
    }
}
