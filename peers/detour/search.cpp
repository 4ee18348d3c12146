// Searches a navigation mesh with Detour's findPath and findStraightPath and times each search.
//
// It reads words from the standard input and answers on the standard output:
//   vertices polygons cell height least-corner(3) greatest-corner(3), then the vertices in cells (3 numbers each), then the
//   polygons (6 vertices, then 6 neighbours each, in the layout of dtNavMeshCreateParams::polys).
//     Answer: the nanoseconds that the build took, or -1 if Detour refuses the mesh.
//   Then any number of blocks: the number of queries, then for each the polygon and place of start and goal.
//     Answer: for each query the nanoseconds of its second search, the number of points, and the points. The number is 0 if
//     the goal was not reached.
//
// Here: calls of Detour and the clock around them. Not here: making meshes, choosing queries, judging answers.

#include <DetourAlloc.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <vector>

namespace {

const int CORNERS = DT_VERTS_PER_POLYGON;
const int MOST_POINTS = 8192;
const int MOST_NODES = 65535;

using Clock = std::chrono::steady_clock;

std::int64_t since(Clock::time_point begun) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begun).count();
}

struct Mesh {
    int vertices = 0;
    int polygons = 0;
    float cell = 0, height = 0;
    float least[3] = {}, greatest[3] = {};
    std::vector<unsigned short> vertex, polygon;

    bool read(std::istream& in) {
        in >> vertices >> polygons >> cell >> height;
        for (float& at : least) in >> at;
        for (float& at : greatest) in >> at;
        if (!in || vertices < 3 || polygons < 1) return false;
        vertex.resize(std::size_t(vertices) * 3);
        polygon.resize(std::size_t(polygons) * 2 * CORNERS);
        for (unsigned short& value : vertex) in >> value;
        for (unsigned short& value : polygon) in >> value;
        return bool(in);
    }

    bool build(dtNavMesh& mesh) {
        std::vector<unsigned short> flags(polygons, 1);
        std::vector<unsigned char> areas(polygons, 0);
        dtNavMeshCreateParams params = {};
        params.verts = vertex.data();
        params.vertCount = vertices;
        params.polys = polygon.data();
        params.polyFlags = flags.data();
        params.polyAreas = areas.data();
        params.polyCount = polygons;
        params.nvp = CORNERS;
        std::copy(least, least + 3, params.bmin);
        std::copy(greatest, greatest + 3, params.bmax);
        params.walkableHeight = 2.0f;
        params.walkableRadius = 0.6f;
        params.walkableClimb = 0.9f;
        params.cs = cell;
        params.ch = height;
        params.buildBvTree = true;
        unsigned char* data = nullptr;
        int size = 0;
        return dtCreateNavMeshData(&params, &data, &size) && dtStatusSucceed(mesh.init(data, size, DT_TILE_FREE_DATA));
    }
};

struct Query {
    unsigned int from, to;
    float start[3], goal[3];
};

struct Answer {
    std::int64_t took = 0;
    int first = 0, points = 0;
};

class Search {
public:
    explicit Search(const dtNavMesh& mesh) : base(mesh.getPolyRefBase(mesh.getTile(0))) {
        corridor.resize(MOST_NODES);
        line.resize(std::size_t(MOST_POINTS) * 3);
        is_ready = dtStatusSucceed(query.init(&mesh, MOST_NODES));
    }

    // Returns the number of points of the route in `line`; 0 if the goal was not reached.
    int run(const Query& asked) {
        int polygons = 0, points = 0;
        const dtPolyRef from = base | asked.from, to = base | asked.to;
        dtStatus status = query.findPath(from, to, asked.start, asked.goal, &filter, corridor.data(), &polygons,
                                         int(corridor.size()));
        if (dtStatusFailed(status) || dtStatusDetail(status, DT_PARTIAL_RESULT)) return 0;
        status = query.findStraightPath(asked.start, asked.goal, corridor.data(), polygons, line.data(), nullptr, nullptr,
                                        &points, MOST_POINTS);
        return dtStatusFailed(status) || dtStatusDetail(status, DT_BUFFER_TOO_SMALL) ? 0 : points;
    }

    bool is_ready = false;
    std::vector<float> line;

private:
    dtPolyRef base;
    dtNavMeshQuery query;
    dtQueryFilter filter;
    std::vector<dtPolyRef> corridor;
};

void answer(Search& search, const std::vector<Query>& queries) {
    std::vector<Answer> answers(queries.size());
    std::vector<float> points;
    for (const Query& asked : queries) search.run(asked);
    for (std::size_t i = 0; i < queries.size(); i++) {
        const Clock::time_point begun = Clock::now();
        const int count = search.run(queries[i]);
        answers[i].took = since(begun);
        answers[i].first = int(points.size());
        answers[i].points = count;
        points.insert(points.end(), search.line.begin(), search.line.begin() + std::size_t(count) * 3);
    }
    for (const Answer& found : answers) {
        std::cout << found.took << ' ' << found.points;
        for (int i = 0; i < found.points * 3; i++) std::cout << ' ' << points[std::size_t(found.first) + i];
        std::cout << '\n';
    }
    std::cout << std::flush;
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    std::cout << std::setprecision(9);
    Mesh mesh;
    if (!mesh.read(std::cin)) return 1;
    dtNavMesh built;
    const Clock::time_point begun = Clock::now();
    const bool is_built = mesh.build(built);
    const std::int64_t took = since(begun);
    if (!is_built) {
        std::cout << -1 << std::endl;
        return 1;
    }
    Search search(built);
    std::cout << (search.is_ready ? took : -1) << std::endl;
    std::size_t count = 0;
    while (search.is_ready && std::cin >> count) {
        std::vector<Query> queries(count);
        for (Query& asked : queries) {
            std::cin >> asked.from >> asked.start[0] >> asked.start[1] >> asked.start[2];
            std::cin >> asked.to >> asked.goal[0] >> asked.goal[1] >> asked.goal[2];
        }
        if (!std::cin) return 1;
        answer(search, queries);
    }
    return 0;
}
