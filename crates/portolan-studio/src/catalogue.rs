//! The catalogue: the algorithms, recipes, worlds and studies that a page can choose from. It is sent to every page as
//! soon as its socket is open.
//!
//! Not here: opening worlds, building planners and running studies.

use crate::answer::{self, CaseListed, Catalogue, Limits, Listed, StudyListed};
use crate::atlas::Atlas;
use crate::command::MeshAgent;
use crate::limits;
use portolan::auto::AUTO;
use portolan::generate::RECIPES;
use portolan::{ALGORITHMS, MESH_ALGORITHMS, Rules, Space};
use portolan_lab::study::STUDIES;
use portolan_lab::worlds::BUILTIN;
use portolan_sim::cases::SHIPPED;
use portolan_sim::mind::MIND_PARAMS;

/// What is not offered about minds: those of a page are compared, and so do not tell each other what they know.
const LEFT_OUT: [&str; 1] = ["ask"];

pub(crate) fn catalogue(atlas: &Atlas, memory: usize) -> Catalogue {
    let auto = answer::Algorithm {
        name: AUTO,
        title: "Automatic",
        summary: "Chooses an exact algorithm for a world that is edited, by stated rules, and says why",
        paper: "",
        params: vec![],
    };
    Catalogue {
        version: env!("CARGO_PKG_VERSION"),
        algorithms: std::iter::once(auto).chain(ALGORITHMS.iter().copied().map(algorithm)).collect(),
        mesh_algorithms: MESH_ALGORITHMS.iter().copied().map(algorithm).collect(),
        agent: MeshAgent::default(),
        mind_params: params(MIND_PARAMS).into_iter().filter(|param| !LEFT_OUT.contains(&param.name)).collect(),
        recipes: RECIPES
            .iter()
            .map(|recipe| answer::Recipe { name: recipe.name, summary: recipe.summary, params: params(recipe.params) })
            .collect(),
        builtin: BUILTIN
            .iter()
            .map(|world| {
                let grid = world.grid(Rules::default());
                Listed {
                    name: world.name.to_owned(),
                    width: Some(grid.width()),
                    height: Some(grid.height()),
                    mesh: false,
                }
            })
            .collect(),
        folder: atlas.folder().map(|folder| folder.display().to_string()),
        maps: atlas.maps().to_vec(),
        cases: SHIPPED.iter().map(|case| CaseListed { name: case.name, about: case.case().about }).collect(),
        studies: STUDIES
            .iter()
            .map(|study| StudyListed {
                name: study.name,
                title: study.title,
                summary: study.summary,
                takes_maps: study.takes_maps(),
            })
            .collect(),
        limits: Limits {
            cells: limits::CELLS,
            upload: limits::UPLOAD,
            side: limits::SIDE,
            panes: limits::PANES,
            crew: limits::CREW,
            crowd: limits::CROWD,
            whole_crowd: limits::WHOLE_CROWD,
            minds: limits::MINDS,
            blocks: limits::BLOCKS,
            memory,
        },
    }
}

fn algorithm<S: Space>(algorithm: &portolan::Algorithm<S>) -> answer::Algorithm {
    answer::Algorithm {
        name: algorithm.name,
        title: algorithm.title,
        summary: algorithm.summary,
        paper: algorithm.paper,
        params: params(algorithm.params),
    }
}

fn params(params: &[portolan::settings::Param]) -> Vec<answer::Param> {
    let param = |param: &portolan::settings::Param| answer::Param {
        name: param.name,
        help: param.help,
        default: param.default.to_string(),
        range: match param.range {
            portolan::settings::Range::Choice(words) => answer::Range::Choice { words },
            portolan::settings::Range::Number(least, most) => answer::Range::Number { least, most },
            portolan::settings::Range::Count(least, most) => answer::Range::Count { least, most },
            _ => unreachable!("pages know every kind of range"),
        },
    };
    params.iter().map(param).collect()
}
