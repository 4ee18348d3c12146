// The same from C++: handles are plain values, so that a guard of a few lines frees them.
#include "portolan.h"
#include <cstdio>
#include <stdexcept>
#include <vector>

static void must(PortolanStatus status) {
    if (status != PORTOLAN_STATUS_OK) {
        throw std::runtime_error(portolan_last_error());
    }
}

template <class Handle, PortolanStatus (*free_it)(Handle)> struct Owned {
    Handle handle{};
    Owned() = default;
    Owned(const Owned &) = delete;
    Owned &operator=(const Owned &) = delete;
    ~Owned() { free_it(handle); }
};

int main() {
    const std::uint32_t width = 64, height = 64;
    std::vector<std::uint8_t> weights(width * height, 1);
    Owned<PortolanWorld, portolan_world_free> world;
    must(portolan_world_new(width, height, weights.data(), weights.size(), portolan_rules_default(), &world.handle));
    Owned<PortolanPlanner, portolan_planner_free> planner;
    must(portolan_planner_new(world.handle, "rhumb", &planner.handle));

    std::vector<PortolanQuery> queries;
    for (std::uint16_t i = 0; i < 100; i++) {
        const std::uint16_t row = i % 60, other = 63 - i % 50;
        queries.push_back(PortolanQuery{{0, row}, {63, other}, false, 0});
    }
    Owned<PortolanBatch, portolan_batch_free> batch;
    must(portolan_find_many(planner.handle, world.handle, queries.data(), queries.size(), 2, &batch.handle));
    std::size_t answers = 0, cells = 0;
    must(portolan_batch_size(batch.handle, &answers, &cells));
    std::printf("%zu routes of %zu cells\n", answers, cells);
    try {
        must(portolan_planner_new(world.handle, "a-strr", &planner.handle));
    } catch (const std::runtime_error &error) {
        std::printf("a slip of the pen: %s\n", error.what());
    }
    return 0;
}
