/* Finds a route, walks its first leg, blocks the way, and finds another one. */
#include "portolan.h"
#include <stdio.h>
#include <stdlib.h>

static void must(PortolanStatus status) {
    if (status != PORTOLAN_STATUS_OK) {
        fprintf(stderr, "portolan: %s\n", portolan_last_error());
        exit(1);
    }
}

int main(void) {
    enum { WIDTH = 40, HEIGHT = 20 };
    uint8_t weights[WIDTH * HEIGHT];
    for (int cell = 0; cell < WIDTH * HEIGHT; cell++) {
        int x = cell % WIDTH, y = cell / WIDTH;
        weights[cell] = x == 20 && y != 3 && y != 16 ? 0 : 1; /* a wall with two gaps */
    }
    PortolanWorld world;
    must(portolan_world_new(WIDTH, HEIGHT, weights, sizeof weights, portolan_rules_default(), &world));
    PortolanPlanner planner;
    must(portolan_planner_new(world, "hpa-star cluster=10", &planner));

    PortolanQuery query = {.from = {2, 2}, .to = {37, 4}};
    PortolanCell cells[WIDTH * HEIGHT];
    PortolanAnswer answer;
    must(portolan_find(planner, world, query, cells, WIDTH * HEIGHT, &answer));
    printf("%s: %zu cells at cost %u\n", answer.outcome == PORTOLAN_OUTCOME_REACHED ? "reached" : "no way", answer.count,
           answer.cost);

    PortolanRoute route;
    size_t count;
    must(portolan_plan(planner, world, query, &route, &answer));
    must(portolan_route_next(route, planner, world, cells, 4, &count));
    printf("the first steps: %zu cells from %u,%u to %u,%u\n", count, cells[0].x, cells[0].y, cells[count - 1].x,
           cells[count - 1].y);
    must(portolan_route_free(route));

    PortolanEdit close = portolan_edit_terrain((PortolanArea){20, 3, 1, 1}, 0, 0);
    must(portolan_world_apply(world, &close, 1));
    if (portolan_find(planner, world, query, cells, WIDTH * HEIGHT, &answer) != PORTOLAN_STATUS_STALE) {
        return 1;
    }
    printf("after the edit: %s\n", portolan_last_error()[0] ? "the planner is stale" : "no word");
    must(portolan_planner_sync(planner, world));
    must(portolan_find(planner, world, query, cells, WIDTH * HEIGHT, &answer));
    printf("around by the other gap: %zu cells\n", answer.count);
    must(portolan_planner_free(planner));
    must(portolan_world_free(world));
    return 0;
}
