//! Every reader on arbitrary bytes, on damaged files and on small files made of the formats' own words: no reader
//! panics, and what was read is written and read back unchanged.

mod common;

use common::{Cells, Header, besides, cells, png};
use portolan::any::{AnySnapshot, AnyWorld};
use portolan::{
    Area, Border, Cell, Cost, Edit, HexGrid, HexShape, KindNames, MeshParts, Metric, NavMesh, Rules, SquareGrid,
};
use portolan_formats::ascii::DrawError;
use portolan_formats::{
    ReadError, Strictness, ascii, case, dynamic, gltf, hex, ldtk, map, mesh_scen, navmesh, obj, png_image, polyanya,
    read_world_bytes, scen, tiled, world_size,
};
use proptest::prelude::*;

fn few_hundred() -> ProptestConfig {
    ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() }
}

fn read_map(bytes: &[u8]) -> Result<Cells, ReadError> {
    map::read(bytes, Rules::default()).map(|grid| cells(&grid))
}

fn map_comes_back(bytes: &[u8]) {
    if let Ok(grid) = map::read(bytes, Rules::default()) {
        assert_eq!(read_map(map::write(&grid).as_bytes()), Ok(cells(&grid)));
    }
}

fn scen_comes_back(bytes: &[u8]) {
    if let Ok(scenario) = scen::read(bytes) {
        assert_eq!(scen::read(scen::write(&scenario).as_bytes()), Ok(scenario));
    }
}

fn mesh_scen_comes_back(bytes: &[u8]) {
    if let Ok(scenario) = mesh_scen::read(bytes) {
        assert_eq!(mesh_scen::read(mesh_scen::write(&scenario).as_bytes()), Ok(scenario));
    }
}

/// Every reader of meshes and geometry. What is read is a mesh or is refused with its polygon named, and a mesh that is sound
/// is saved and read back unchanged.
fn meshes_come_back(bytes: &[u8]) {
    let mesh = |parts: &MeshParts| {
        if let Ok(mesh) = NavMesh::new(parts) {
            let parts = mesh.to_parts();
            assert_eq!(navmesh::read(&navmesh::write(&parts)).as_ref(), Ok(&parts));
            assert!(NavMesh::new(&parts).is_ok(), "what was rounded once stays a mesh");
        }
    };
    if let Ok(parts) = polyanya::read(bytes) {
        mesh(&parts);
    }
    if let Ok(parts) = navmesh::read(bytes) {
        mesh(&parts);
    }
    if let Ok(geometry) = obj::read(bytes) {
        assert_eq!(obj::read(obj::write(&geometry).as_bytes()), Ok(geometry));
    }
    if let Ok(geometry) = gltf::read(bytes, &mut |_| Ok(vec![0; 64])) {
        assert!(geometry.triangles.iter().flatten().all(|&vertex| (vertex as usize) < geometry.vertices.len()));
    }
}

fn dynamic_comes_back(bytes: &[u8]) {
    if let Ok(scenario) = dynamic::read_scen(bytes) {
        assert_eq!(dynamic::read_scen(dynamic::write_scen(&scenario).as_bytes()), Ok(scenario));
    }
}

fn patches_come_back(bytes: &[u8]) {
    if let Ok(patches) = dynamic::read_patches(bytes) {
        assert_eq!(dynamic::read_patches(dynamic::write_patches(&patches).as_bytes()), Ok(patches));
    }
}

fn png_comes_back(bytes: &[u8]) {
    if let Ok(grid) = png_image::read(bytes, Rules::default()) {
        assert_eq!(png_image::size(bytes), Some((grid.width(), grid.height())));
        let again = png_image::read(&png_image::write(&grid), Rules::default());
        assert_eq!(again.map(|grid| cells(&grid)), Ok(cells(&grid)));
    }
}

fn ascii_comes_back(bytes: &[u8]) {
    let lenient = ascii::read_with(bytes, Rules::default(), Strictness::Lenient);
    let strict = ascii::read(bytes, Rules::default());
    if let (Ok(lenient), Ok(strict)) = (&lenient, &strict) {
        assert_eq!((cells(&lenient.grid), &lenient.entities), (cells(&strict.grid), &strict.entities));
    }
    let refused = |strict: &ReadError| strict.is_ground_if_lenient || lenient.as_ref().err() == Some(strict);
    assert!(
        strict.as_ref().err().is_none_or(refused),
        "only characters may be refused by the one and not by the other"
    );
    if let Ok(world) = lenient {
        let written = ascii::write(&world);
        let again = ascii::read(written.as_bytes(), Rules::default());
        let all = |world: ascii::AsciiWorld| (cells(&world.grid), world.entities, world.floors, besides(world.grid));
        assert_eq!(again.map(all), Ok(all(world)), "{written}");
    }
}

/// What a file says about a hexagonal world, to compare it with another.
fn hexes(grid: &HexGrid) -> (HexShape, usize, usize, u32, Vec<u8>) {
    (grid.shape(), grid.width(), grid.height(), grid.metric().straight(), grid.to_weights())
}

fn hex_comes_back(bytes: &[u8]) {
    if let Ok(world) = hex::read_world(bytes) {
        assert_eq!(hex::size(bytes), Some((world.grid.width(), world.grid.height())));
        let write = |world: &hex::HexWorld| hex::write_named(&world.grid, &world.kinds, world.floors);
        let written = write(&world).expect("no more kinds than the file has characters");
        let again = hex::read_world(written.as_bytes()).unwrap_or_else(|fault| panic!("{fault} in\n{written}"));
        assert_eq!((hexes(&again.grid), again.floors), (hexes(&world.grid), world.floors), "{written}");
        assert_eq!(write(&again).as_ref(), Ok(&written));
        assert_eq!(besides(again.grid), besides(world.grid), "{written}");
    }
}

fn case_comes_back(bytes: &[u8]) {
    if let Ok(case) = case::read_with(bytes, Strictness::Lenient) {
        let written = case::write(&case).unwrap_or_else(|fault| panic!("{fault}"));
        let again = case::read(written.as_bytes()).unwrap_or_else(|fault| panic!("{fault} in\n{written}"));
        let world = |case: &case::Case| match &case.world {
            case::CaseWorld::Drawn(world) => Some((cells(&world.grid), world.entities.clone())),
            _ => None,
        };
        assert_eq!(world(&again), world(&case), "{written}");
        let how = |case: &case::Case| (case.replan.clone(), case.follow.clone(), case.ticks);
        assert_eq!(how(&again), how(&case), "{written}");
        assert_eq!((again.edits, again.with, again.about), (case.edits, case.with, case.about), "{written}");
        assert_eq!((again.from, again.to, again.rules), (case.from, case.to, case.rules), "{written}");
    }
}

/// Asserts for every kind of name that a world which can be read has the size that `world_size` returned for it.
fn size_is_told(bytes: &[u8]) {
    for name in ["a.map", "a.png", "a.txt", "a.hex", "a.tmx", "a.tmj", "a.ldtk", "a"] {
        if let Ok(grid) = read_world_bytes(name, bytes, Rules::default()) {
            assert_eq!(world_size(name, bytes), Some((grid.width(), grid.height())), "{name}");
        }
    }
}

/// The files of samples that others name.
const BESIDE: [(&str, &[u8]); 5] = [
    ("tiles.tsx", include_bytes!("painted/tiles.tsx")),
    ("tiles.tsj", include_bytes!("painted/tiles.tsj")),
    ("ladder.tx", include_bytes!("painted/ladder.tx")),
    ("ladder.tj", include_bytes!("painted/ladder.tj")),
    ("river/Far_Bank.ldtkl", include_bytes!("painted/river/Far_Bank.ldtkl")),
];

/// Maps of Tiled and `LDtk`: links and places of what is read lie on free ground, and its size is told before. The bytes are
/// also read as a file that another map names.
fn painted_maps_are_sound(bytes: &[u8]) {
    let beside = |name: &str| BESIDE.iter().find(|(other, _)| *other == name).map(|(_, file)| file.to_vec());
    let mut load = |name: &str| beside(name).ok_or_else(|| "no such file".to_owned());
    let tiled = tiled::read(bytes, Rules::default(), &mut load).inspect(|painted| {
        assert_eq!(tiled::size(bytes), Some((painted.world.width(), painted.world.height())));
    });
    let [first, all] =
        [ldtk::Levels::First, ldtk::Levels::All].map(|levels| ldtk::read(bytes, Rules::default(), &levels, &mut load));
    if let Ok(painted) = &first {
        assert_eq!(ldtk::size(bytes), Some((painted.world.width(), painted.world.height())));
    }
    for painted in [tiled, first, all].into_iter().flatten() {
        let ends = painted.links.iter().flat_map(|link| [link.from, link.to]);
        for cell in ends.chain(painted.places.iter().map(|place| place.at)) {
            assert!(painted.world.is_free(cell), "{cell}");
        }
    }
    for map in &PAINTED[..2] {
        let _ = tiled::read(map, Rules::default(), &mut |_| Ok(bytes.to_vec()));
    }
    let _ = ldtk::read(PAINTED[4], Rules::default(), &ldtk::Levels::All, &mut |_| Ok(bytes.to_vec()));
}

/// The samples of maps of Tiled and `LDtk`.
const PAINTED: [&[u8]; 5] = [
    include_bytes!("painted/river.tmx"),
    include_bytes!("painted/river.tmj"),
    include_bytes!("painted/isles.tmx"),
    include_bytes!("painted/hexes.tmx"),
    include_bytes!("painted/river.ldtk"),
];

/// Returns a file with one of its numbers replaced by another.
fn with_number(file: &[u8], which: prop::sample::Index, number: &str) -> Vec<u8> {
    let is_digit = |i: usize| file.get(i).is_some_and(u8::is_ascii_digit);
    let starts: Vec<usize> = (0..file.len()).filter(|&i| is_digit(i) && (i == 0 || !is_digit(i - 1))).collect();
    let start = starts[which.index(starts.len())];
    let end = (start..file.len()).find(|&i| !is_digit(i)).unwrap_or(file.len());
    [&file[..start], number.as_bytes(), &file[end..]].concat()
}

fn everything_comes_back(bytes: &[u8]) {
    painted_maps_are_sound(bytes);
    case_comes_back(bytes);
    hex_comes_back(bytes);
    size_is_told(bytes);
    map_comes_back(bytes);
    scen_comes_back(bytes);
    mesh_scen_comes_back(bytes);
    meshes_come_back(bytes);
    dynamic_comes_back(bytes);
    patches_come_back(bytes);
    png_comes_back(bytes);
    ascii_comes_back(bytes);
}

/// Generates a small sound file of one of the formats.
fn sound_file() -> impl Strategy<Value = Vec<u8>> {
    let small_map = "type octile\nheight 3\nwidth 4\nmap\n.GS.\n@OTW\r\n....\n";
    let small_scen = "version 1\n0\ta b.map\t9\t8\t0\t1\t8\t7\t9.5\n3 c.map 5 5 4 4 0 0 5.65685424\n";
    let small_mesh_scen = "version 1\n0\ta b.mesh\t9\t8.5\t0.25\t-1\t8\t7\t9.5\n3 c.mesh 5 5 -4 4e2 0 0 5.65685424\n";
    let small_dynamic = "version 2\nheight 4\nwidth 6\ncost 1 octile\npatch a.patch\ncommands\n\
                         P 0 0 1 2\nQ 0 0 1 5 3 5.5\nQ 1 0 0 0 1 -1\n";
    let small_patches = "type patch\npatches 2\npatch 0\nheight 2\nwidth 3\nmap\n.@@\n.@.\n\
                         patch 1\nheight 1\nwidth 1\nmap\n@\n";
    let small_ascii = "AABT\nA 2o\nXx\n\n9pqr\n";
    let small_png = png_image::encode_rgb(3, 2, &[0, 0, 0, 255, 255, 255, 9, 9, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    let small_case = "portolan case 1\nabout x # y\nrules loose 4 10/14\nfrom 0,0 # here\nto 3,1\nwith rhumb gap=2\n\
                      replan any\nfollow rebuild 3\nticks 50\nat 3 block 1,0 2x1\nat 2 weight 7 0,1\nat 3 clear 1,0\nmap\n..T5\nA.x\n";
    let made_case = "portolan case 1\nworld maze 9x9 seed 7 corridor=2\nfrom 0,0\nto 3,1\n";
    let small_hex = "portolan hex 1\nshape rectangle\nwidth 4\nheight 3\nmetric 77\nmap\n. . @ 2\n . 9 @ .\n@ @ . .\n";
    let hexagon =
        "portolan hex 1\nradius 1 # small\nshape hexagon\ndigits 3\nmap\n    255   .\n  @   .  12\n      .   .\n";
    let walled = "kind ~ water 3\nborder east closed 0,0 2x3\nborder south out 1,0\nlink 0,0 3,2 10 one-way\nlink 1,0 2,2 7 both resting\n\
                  ....\n.~~.\n..A.\n";
    let two_floors = "floors 2 3x1\nlink 0,0 0,2 5 both\n.2.\nAAA\n...\n";
    let walled_hexes = "portolan hex 1\nborder south-west in 1,0 2x1\nlink 0,0 3,1 4 both\nkind t forest 12\nshape rectangle\n\
                        width 4\nheight 3\nmap\n. t . .\n . . @ .\n. t t .\n";
    let mesh_two =
        "mesh\n2\n4 2\n0 0 3 0 1 -1\n2 0 3 0 -1 -1\n2 2 4 0 1 -1 -1\n0 2 3 1 -1 -1\n3 0 1 2 -1 -1 1\n3 0 2 3 0 -1 -1\n";
    let mesh_three =
        "mesh\n3\n4 2\n0 0 0 2 0 1\n2 0 1 1 0\n2 2 0 2 0 1\n0 2 1 1 1\n3 0 1 2 -1 -1 1 1\n3 0 2 3 0 -1 -1 2\n";
    let small_obj = "v 0 0 0\nv 0 0 2\nv 2 0 2\nv 2 0 0\nf 1 2 3\nf 1/1 3/2 4/3\n";
    let small_gltf = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"buffers":[{"uri":"a.bin","byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "bufferViews":[{"buffer":0,"byteLength":36}]}"#;
    let texts = [
        mesh_two,
        mesh_three,
        small_obj,
        small_gltf,
        small_map,
        small_scen,
        small_mesh_scen,
        small_dynamic,
        small_patches,
        small_ascii,
        small_case,
        made_case,
        small_hex,
        hexagon,
        walled,
        two_floors,
        walled_hexes,
    ];
    let mut files: Vec<Vec<u8>> = texts.map(|text| text.as_bytes().to_vec()).to_vec();
    files.push(small_png);
    files.extend(PAINTED.iter().chain(BESIDE.iter().map(|(_, file)| file)).map(|file| file.to_vec()));
    let parts = polyanya::read(mesh_three.as_bytes());
    files.extend(parts.map(|parts| navmesh::write(&parts)));
    prop::sample::select(files)
}

/// Generates a byte, half of the time one that has a meaning in some of the formats.
fn telling_byte() -> impl Strategy<Value = u8> {
    prop_oneof![prop::sample::select(&b".@#GSOTWAoxX \t\r\n0123456789-ePQ"[..]), any::<u8>()]
}

/// Generates lines of words that the text formats use, in any order.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "portolan case 1\nfrom 0,0\nto 1,1\n",
        "portolan hex 1\nshape hexagon\n",
        "portolan hex 1\nshape rectangle\nwidth 3\nheight 1\nmap\n",
        "radius",
        "digits",
        "metric",
        ". @ 2\n",
        "mesh\n2\n1 1\n",
        "mesh\n3\n3 1\n",
        "v 0 0 1\n",
        "f 1 2 3\n",
        "f",
        "v",
        "1/2/3",
        "world",
        "about",
        "at",
        "kind ~ water",
        "border",
        "border east closed 0,0",
        "closed",
        "out",
        "south",
        "south-east",
        "link 0,0 1,0 5 both",
        "link",
        "resting",
        "one-way",
        "floors",
        "0,0",
        "block",
        "weight",
        "rules",
        "follow",
        "rebuild",
        "1,1",
        "3x2",
        "maze",
        "#",
        "version",
        "1",
        "2",
        "1.0",
        "type",
        "octile",
        "patch",
        "patches",
        "height",
        "width",
        "map",
        "cost",
        "commands",
        "P",
        "Q",
        "0",
        "3",
        "-1",
        "32766",
        "99999999999999999999",
        "1e400",
        "nan",
        "...",
        "@.@",
        "a.map",
        "",
        "é",
    ]);
    let blank = prop::sample::select(vec![" ", "\t", "\n", "\n", "\r\n", "  "]);
    prop::collection::vec((word, blank), 0..40)
        .prop_map(|pairs| pairs.into_iter().flat_map(|(word, blank)| [word, blank]).collect())
}

/// Generates headers of small pictures, some of them invalid.
fn png_header() -> impl Strategy<Value = Header> {
    let depth = prop::sample::select(vec![1_u8, 2, 4, 8, 16]);
    (0..20_u32, 0..20_u32, depth, 0..7_u8, any::<bool>()).prop_map(|(width, height, depth, color, interlaced)| Header {
        width,
        height,
        depth,
        color,
        interlaced,
    })
}

/// Generates the name of a chunk, most of them ones that a PNG decoder may handle.
fn chunk_kind() -> impl Strategy<Value = &'static [u8; 4]> {
    prop::sample::select(vec![
        b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT", b"bKGD", b"pHYs", b"tEXt", b"zTXt", b"iTXt",
        b"acTL", b"fcTL", b"fdAT", b"cICP", b"mDCV", b"cLLI", b"eXIf", b"IHDR", b"IDAT", b"IEND", b"abcd", b"ABCD",
    ])
}

proptest! {
    #![proptest_config(few_hundred())]

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        everything_comes_back(&bytes);
    }

    #[test]
    fn telling_bytes(bytes in prop::collection::vec(telling_byte(), 0..300)) {
        everything_comes_back(&bytes);
    }

    #[test]
    fn words_in_any_order(text in words()) {
        everything_comes_back(text.as_bytes());
    }

    #[test]
    fn files_with_some_bytes_changed(
        mut file in sound_file(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), telling_byte()), 1..4),
    ) {
        for (index, byte) in changes {
            let index = index.index(file.len());
            file[index] = byte;
        }
        everything_comes_back(&file);
    }

    #[test]
    fn maps_of_editors_with_other_numbers(
        file in prop::sample::select(PAINTED.iter().chain(BESIDE.iter().map(|(_, file)| file)).copied().collect::<Vec<_>>()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(vec![
            "0", "1", "2", "5", "-1", "-16", "255", "256", "32766", "65536", "2147483647", "-2147483648", "4294967295",
            "4294967296", "9223372036854775807", "-9223372036854775808", "99999999999999999999", "0.5", "1e15", "1e400",
        ])), 1..4),
    ) {
        let mut file = file.to_vec();
        for (which, number) in changes {
            file = with_number(&file, which, number);
        }
        painted_maps_are_sound(&file);
        size_is_told(&file);
    }

    #[test]
    fn files_with_a_piece_missing_or_doubled(
        file in sound_file(),
        ends in any::<[prop::sample::Index; 2]>(),
    ) {
        let [a, b] = ends.map(|end| end.index(file.len() + 1));
        everything_comes_back(&file[..a]);
        everything_comes_back(&file[a..]);
        everything_comes_back(&[&file[..a], &file[b..]].concat());
    }

    #[test]
    fn pictures_of_any_header(
        header in png_header(),
        colours in prop::collection::vec(any::<u8>(), 0..60),
        alphas in prop::collection::vec(any::<u8>(), 0..20),
        // A row begins with its filter, a byte from 0 to 4, so small bytes make sound rows more likely.
        data in prop::collection::vec(prop_oneof![0..5_u8, any::<u8>()], 0..900),
    ) {
        png_comes_back(&png(header, &[], &data));
        png_comes_back(&png(header, &[(b"PLTE", &colours)], &data));
        png_comes_back(&png(header, &[(b"tRNS", &alphas)], &data));
        png_comes_back(&png(header, &[(b"PLTE", &colours), (b"tRNS", &alphas)], &data));
    }

    #[test]
    fn pictures_with_odd_chunks(
        header in png_header(),
        chunks in prop::collection::vec((chunk_kind(), prop::collection::vec(any::<u8>(), 0..40)), 0..4),
        data in prop::collection::vec(0..5_u8, 0..900),
    ) {
        let chunks: Vec<(&[u8; 4], &[u8])> = chunks.iter().map(|(kind, content)| (*kind, &content[..])).collect();
        png_comes_back(&png(header, &chunks, &data));
    }

    #[test]
    fn sound_pictures_of_any_kind(header in png_header(), seed in any::<u8>()) {
        let Header { width, height, depth, color, .. } = header;
        let header = Header { interlaced: false, ..header };
        let channels = [1, 0, 3, 1, 2, 0, 4][usize::from(color)];
        let packed = matches!(color, 0 | 3) || depth >= 8;
        let sound = channels > 0 && packed && !(color == 3 && depth == 16) && width > 0 && height > 0;
        let row = (width * channels * u32::from(depth)).div_ceil(8) as usize;
        let pixels = (0..row).map(|i| seed.wrapping_mul(i as u8));
        let data: Vec<u8> = (0..height).flat_map(|_| std::iter::once(0).chain(pixels.clone())).collect();
        let palette: [(&[u8; 4], &[u8]); 1] = [(b"PLTE", &[200; 768][..3 << depth.min(8)])];
        let file = png(header, if color == 3 { &palette } else { &[] }, &data);
        prop_assert_eq!(png_image::read(&file, Rules::default()).is_ok(), sound);
        png_comes_back(&file);
    }

    #[test]
    fn worlds_of_any_weights(
        (width, height, weights) in (1..30_usize, 1..30_usize).prop_flat_map(|(width, height)| {
            let weights = prop::collection::vec(prop_oneof![0..12_u8, any::<u8>()], width * height);
            (Just(width), Just(height), weights)
        }),
    ) {
        let grid = SquareGrid::from_weights(width, height, &weights, Rules::default()).unwrap_or_else(|e| panic!("{e}"));
        let back = png_image::read(&png_image::write(&grid), Rules::default());
        prop_assert_eq!(back.map(|grid| cells(&grid)), Ok((width, height, weights.clone())));
        let free: Vec<u8> = weights.iter().map(|&weight| weight.min(1)).collect();
        prop_assert_eq!(read_map(map::write(&grid).as_bytes()), Ok((width, height, free)));
        match ascii::write_grid(&grid) {
            Ok(text) => {
                let back = ascii::read(text.as_bytes(), Rules::default());
                prop_assert_eq!(back.map(|world| cells(&world.grid)), Ok((width, height, weights)));
            }
            Err(DrawError::Weight { weight, .. }) => {
                prop_assert_eq!(Some(&weight), weights.iter().find(|&&weight| weight > 9));
            }
            Err(fault) => prop_assert!(false, "{fault}"),
        }
    }

    #[test]
    fn hexagonal_worlds_of_any_weights(
        (hexagon, width, height, weights) in (any::<bool>(), 1..30_usize, 1..30_usize).prop_flat_map(|(hexagon, width, height)| {
            let (width, height) = if hexagon { (width | 1, width | 1) } else { (width, height) };
            let weight = prop_oneof![0..12_u8, 0..3_u8, any::<u8>()];
            (Just(hexagon), Just(width), Just(height), prop::collection::vec(weight, width * height))
        }),
        most in prop::sample::select(vec![1_u8, 9, 255]),
        step in prop::option::of(1..=Metric::MAX),
    ) {
        let weights: Vec<u8> = weights.into_iter().map(|weight| weight.min(most)).collect();
        let metric = step.map(|step| Metric::new(step, step).unwrap_or_else(|e| panic!("{e}")));
        let grid = if hexagon {
            HexGrid::hexagon_from_weights(width / 2, &weights, metric)
        } else {
            HexGrid::from_weights(width, height, &weights, metric)
        };
        let grid = grid.unwrap_or_else(|e| panic!("{e}"));
        let text = hex::write(&grid).expect("all of one kind");
        let back = hex::read(text.as_bytes()).unwrap_or_else(|fault| panic!("{fault} in\n{text}"));
        prop_assert_eq!(hexes(&back), hexes(&grid), "{}", text);
        prop_assert_eq!(hex::write(&back), Ok(text));
    }

    #[test]
    fn worlds_with_kinds_borders_and_links_come_back(
        (hex, width, height, ground) in (any::<bool>(), 1..14_usize, 1..14_usize).prop_flat_map(|(hex, width, height)| {
            let cell = (prop_oneof![0..3_u8, 1..10_u8], prop_oneof![Just(0_u8), 0..4_u8, Just(200)]);
            (Just(hex), Just(width), Just(height), prop::collection::vec(cell, width * height))
        }),
        hexagon in any::<bool>(),
        edits in prop::collection::vec(any::<([u16; 4], usize, usize, u32)>(), 0..12),
    ) {
        let world = besides_terrain(hex, hexagon, (width, height), &ground, &edits);
        let again = match &world {
            AnySnapshot::Square(grid) => {
                let text = ascii::write_grid(grid).unwrap_or_else(|fault| panic!("{fault}"));
                let again = ascii::read(text.as_bytes(), Rules::default()).unwrap_or_else(|e| panic!("{e} in\n{text}"));
                prop_assert_eq!(ascii::write_named(&again.grid, &KindNames::default(), None), Ok(text));
                AnySnapshot::from(again.grid)
            }
            AnySnapshot::Hex(grid) => {
                let text = hex::write(grid).unwrap_or_else(|fault| panic!("{fault}"));
                AnySnapshot::from(hex::read(text.as_bytes()).unwrap_or_else(|e| panic!("{e} in\n{text}")))
            }
        };
        prop_assert_eq!(again.to_weights(), world.to_weights());
        prop_assert_eq!((again.extras(), besides(again)), (world.extras(), besides(world)));
    }
}

/// Returns a world of these weights and kinds with borders and links that the numbers choose. Links may rest.
fn besides_terrain(
    hex: bool,
    hexagon: bool,
    (width, height): (usize, usize),
    ground: &[(u8, u8)],
    edits: &[([u16; 4], usize, usize, u32)],
) -> AnySnapshot {
    let side = width.min(height) - usize::from(width.min(height).is_multiple_of(2));
    let (width, height) = if hex && hexagon && side > 0 { (side, side) } else { (width, height) };
    let ground = &ground[..width * height];
    let [weights, kinds] = [|&(weight, _): &(u8, u8)| weight, |&(_, kind): &(u8, u8)| kind]
        .map(|of| ground.iter().map(of).collect::<Vec<u8>>());
    let made = match (hex, hexagon && side > 0) {
        (false, _) => SquareGrid::from_weights(width, height, &weights, Rules::default())
            .and_then(|grid| grid.with_kinds(&kinds))
            .map(AnyWorld::from),
        (true, false) => HexGrid::from_weights(width, height, &weights, None)
            .and_then(|grid| grid.with_kinds(&kinds))
            .map(AnyWorld::from),
        (true, true) => HexGrid::hexagon_from_weights(width / 2, &weights, None)
            .and_then(|grid| grid.with_kinds(&kinds))
            .map(AnyWorld::from),
    };
    let mut world = made.unwrap_or_else(|fault| panic!("{fault}"));
    for &([x, y, across, down], side, border, cost) in edits {
        let snapshot = world.snapshot();
        let (x, y) = (x % width as u16, y % height as u16);
        let edit = if side % 3 == 0 {
            let to = Cell::new(across % width as u16, down % height as u16);
            Edit::link((x, y), to, Cost(cost % 1000 + 1), border % 2 == 0)
        } else {
            let area = Area { x, y, width: 1 + across % (width as u16 - x), height: 1 + down % (height as u16 - y) };
            let sides = snapshot.sides();
            Edit::border(area, sides[side % sides.len()], Border::NAMED[border % 4].1)
        };
        // A link may lead to its own cell or off a hexagon; such an edit is refused and changes nothing.
        let _ = world.apply(&[edit]);
    }
    world.snapshot()
}
