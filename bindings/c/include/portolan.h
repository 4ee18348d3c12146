/* Portolan: pathfinding for games and simulations. Written from the source of bindings/c; see its README. */

#ifndef PORTOLAN_H
#define PORTOLAN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/**
 * Both cells beside a diagonal step must be free.
 */
#define PORTOLAN_CORNERS_STRICT 0

/**
 * At least one of the cells beside a diagonal step must be free.
 */
#define PORTOLAN_CORNERS_NO_SQUEEZE 1

/**
 * Both cells beside a diagonal step may be blocked.
 */
#define PORTOLAN_CORNERS_LOOSE 2

/**
 * How a call ended. What is said about results holds if it is `PORTOLAN_STATUS_OK`; otherwise nothing is written or changed.
 */
typedef enum PortolanStatus {
  /**
   * The call did what it says.
   */
  PORTOLAN_STATUS_OK = 0,
  /**
   * A pointer is null, a count or a number is at fault, or a text is not UTF-8.
   */
  PORTOLAN_STATUS_ARGUMENT = 1,
  /**
   * A handle names nothing: it was freed, or names an object of another kind.
   */
  PORTOLAN_STATUS_HANDLE = 2,
  /**
   * A world cannot be made or edited so.
   */
  PORTOLAN_STATUS_WORLD = 3,
  /**
   * There is no such algorithm or setting, or the algorithm does not run on this world.
   */
  PORTOLAN_STATUS_ALGORITHM = 4,
  /**
   * The planner knows another world or an earlier state of this one: call `portolan_planner_sync`.
   */
  PORTOLAN_STATUS_STALE = 5,
  /**
   * Start or goal lies off the map, or the start is blocked.
   */
  PORTOLAN_STATUS_QUERY = 6,
  /**
   * A chart cannot be written or opened.
   */
  PORTOLAN_STATUS_CHART = 7,
  /**
   * A fault of Portolan itself. Please report it.
   */
  PORTOLAN_STATUS_INTERNAL = 8,
} PortolanStatus;

/**
 * How a query ended.
 */
typedef enum PortolanOutcome {
  /**
   * There is a route to the goal.
   */
  PORTOLAN_OUTCOME_REACHED = 0,
  /**
   * There is a route to the reachable cell nearest to the goal.
   */
  PORTOLAN_OUTCOME_PARTIAL = 1,
  /**
   * There is no route.
   */
  PORTOLAN_OUTCOME_UNREACHABLE = 2,
  /**
   * The budget was used up.
   */
  PORTOLAN_OUTCOME_OUT_OF_BUDGET = 3,
  /**
   * Every route costs more than can be counted; lower costs of steps would help.
   */
  PORTOLAN_OUTCOME_TOO_FAR = 4,
  /**
   * Start or goal lies off the map. Only in batches: else the call fails.
   */
  PORTOLAN_OUTCOME_OFF_MAP = 5,
  /**
   * The start is blocked. Only in batches: else the call fails.
   */
  PORTOLAN_OUTCOME_START_BLOCKED = 6,
  /**
   * There is no memory for the search. Only in batches: else the call fails.
   */
  PORTOLAN_OUTCOME_OUT_OF_MEMORY = 7,
} PortolanOutcome;

/**
 * A planner: an algorithm with what it keeps about a world. Free it with `portolan_planner_free`.
 */
typedef struct PortolanPlanner {
  /**
   * What names the planner; 0 names none.
   */
  uint64_t id;
} PortolanPlanner;

/**
 * A world of squares or hexagons. Free it with `portolan_world_free`.
 */
typedef struct PortolanWorld {
  /**
   * What names the world; 0 names none.
   */
  uint64_t id;
} PortolanWorld;

/**
 * A cell by its column and row.
 */
typedef struct PortolanCell {
  /**
   * The column, from 0 at the left.
   */
  uint16_t x;
  /**
   * The row, from 0 at the top.
   */
  uint16_t y;
} PortolanCell;

/**
 * A question for a route.
 */
typedef struct PortolanQuery {
  /**
   * Where the route begins.
   */
  struct PortolanCell from;
  /**
   * Where it leads.
   */
  struct PortolanCell to;
  /**
   * Whether it may lead to the reachable cell nearest to the goal, if the goal cannot be reached.
   */
  bool nearest;
  /**
   * How many expansions may be spent; 0 if that is not limited.
   */
  uint64_t budget;
} PortolanQuery;

/**
 * The answers to many queries. Free it with `portolan_batch_free`.
 */
typedef struct PortolanBatch {
  /**
   * What names the batch; 0 names none.
   */
  uint64_t id;
} PortolanBatch;

/**
 * The answer to a query.
 */
typedef struct PortolanAnswer {
  /**
   * How the query ended.
   */
  enum PortolanOutcome outcome;
  /**
   * What the route costs; 0 without one.
   */
  uint32_t cost;
  /**
   * How many cells the route has, both ends included; 0 without one.
   */
  uintptr_t count;
  /**
   * Where its cells begin among those of its batch.
   */
  uintptr_t first;
} PortolanAnswer;

/**
 * A route that is computed leg by leg. Free it with `portolan_route_free`.
 */
typedef struct PortolanRoute {
  /**
   * What names the route; 0 names none.
   */
  uint64_t id;
} PortolanRoute;

/**
 * How agents move. Begin with `portolan_rules_default()`.
 */
typedef struct PortolanRules {
  /**
   * How many neighbours a cell has: 4 or 8 on squares, 6 for a world of hexagons.
   */
  uint8_t directions;
  /**
   * Which of the cells beside a diagonal step must be free: one of `PORTOLAN_CORNERS_...`.
   */
  uint8_t corners;
  /**
   * What a straight step costs over weight 1; 0 if the engine is to choose.
   */
  uint32_t straight;
  /**
   * What a diagonal step costs over weight 1; 0 if the engine is to choose.
   */
  uint32_t diagonal;
} PortolanRules;

/**
 * A rectangle of cells.
 */
typedef struct PortolanArea {
  /**
   * The leftmost column.
   */
  uint16_t x;
  /**
   * The topmost row.
   */
  uint16_t y;
  /**
   * How many columns.
   */
  uint16_t width;
  /**
   * How many rows.
   */
  uint16_t height;
} PortolanArea;

/**
 * A change of a world. Make one with `portolan_edit_terrain` and the like.
 */
typedef struct PortolanEdit {
  /**
   * What it changes: 0 terrain, 1 borders, 2 a link, 3 a link that is removed.
   */
  uint8_t change;
  /**
   * The weight of the cells, 0 to block them; or the side of the cells: 0 north, 1 north-east, and so on clockwise.
   */
  uint8_t first;
  /**
   * The kind of the ground; or the border: 0 open, 1 closed, 2 only out, 3 only in.
   */
  uint8_t second;
  /**
   * Whether a link leads both ways.
   */
  bool both_ways;
  /**
   * The cells; of a link, the cell that it leads from.
   */
  struct PortolanArea area;
  /**
   * The cell that a link leads to.
   */
  struct PortolanCell to;
  /**
   * What a link costs.
   */
  uint32_t cost;
} PortolanEdit;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Answers many queries on so many threads; 0 takes all cores. The answers do not depend on the number of threads.
 *
 * # Safety
 * `queries` points to `count` queries, and `batch` to room for a handle.
 */
enum PortolanStatus portolan_find_many(struct PortolanPlanner planner,
                                       struct PortolanWorld world,
                                       const struct PortolanQuery *queries,
                                       uintptr_t count,
                                       uintptr_t threads,
                                       struct PortolanBatch *batch);

/**
 * Writes how many answers a batch has, and how many cells all of its routes have together.
 *
 * # Safety
 * `answers` and `cells` point to room for a number each.
 */
enum PortolanStatus portolan_batch_size(struct PortolanBatch batch, uintptr_t *answers, uintptr_t *cells);

/**
 * Writes the answers, in the order of the queries, as far as there is room.
 *
 * # Safety
 * `answers` points to room for `capacity` answers.
 */
enum PortolanStatus portolan_batch_answers(struct PortolanBatch batch,
                                           struct PortolanAnswer *answers,
                                           uintptr_t capacity);

/**
 * Writes the cells of all routes, one route after the other, as far as there is room.
 *
 * # Safety
 * `cells` points to room for `capacity` cells.
 */
enum PortolanStatus portolan_batch_cells(struct PortolanBatch batch, struct PortolanCell *cells, uintptr_t capacity);

/**
 * Frees a batch.
 */
enum PortolanStatus portolan_batch_free(struct PortolanBatch batch);

/**
 * Returns the words for the latest call on this thread that failed; empty if none has. They stay readable until the next
 * call on this thread that fails.
 */
const char *portolan_last_error(void);

/**
 * Plans a route without computing its cells. Without a route, `route` names none. The cost in the answer is 0 if it is not
 * known before the cells are.
 *
 * # Safety
 * `route` points to room for a handle, and `answer` to room for an answer.
 */
enum PortolanStatus portolan_plan(struct PortolanPlanner planner,
                                  struct PortolanWorld world,
                                  struct PortolanQuery query,
                                  struct PortolanRoute *route,
                                  struct PortolanAnswer *answer);

/**
 * Writes the next cells of a route, as many as are known without much work and there is room for, and their number; 0 at
 * the end. The first cell of the route is the first that is written.
 *
 * # Safety
 * `cells` points to room for `capacity` cells, and `count` to room for a number.
 */
enum PortolanStatus portolan_route_next(struct PortolanRoute route,
                                        struct PortolanPlanner planner,
                                        struct PortolanWorld world,
                                        struct PortolanCell *cells,
                                        uintptr_t capacity,
                                        uintptr_t *count);

/**
 * Frees a route.
 */
enum PortolanStatus portolan_route_free(struct PortolanRoute route);

/**
 * Builds a planner. `algorithm` names the algorithm and its settings, such as `a-star`, `rhumb`, or
 * `hpa-star cluster=16 levels=2`; null or an empty text lets rules choose.
 *
 * # Safety
 * `algorithm` is null or a text, and `planner` points to room for a handle.
 */
enum PortolanStatus portolan_planner_new(struct PortolanWorld world,
                                         const char *algorithm,
                                         struct PortolanPlanner *planner);

/**
 * Frees a planner.
 */
enum PortolanStatus portolan_planner_free(struct PortolanPlanner planner);

/**
 * Brings a planner up to date with all edits of its world since it was built or last brought up to date. A planner of another
 * world of the kind is built anew for this one.
 */
enum PortolanStatus portolan_planner_sync(struct PortolanPlanner planner,
                                          struct PortolanWorld world);

/**
 * Finds a route. Writes its cells, from start to goal, as far as there is room, and the answer, which has their whole number.
 *
 * # Safety
 * `cells` points to room for `capacity` cells, and `answer` to room for an answer.
 */
enum PortolanStatus portolan_find(struct PortolanPlanner planner,
                                  struct PortolanWorld world,
                                  struct PortolanQuery query,
                                  struct PortolanCell *cells,
                                  uintptr_t capacity,
                                  struct PortolanAnswer *answer);

/**
 * Saves a planner's chart to a file, without its world.
 *
 * # Safety
 * `path` is a text.
 */
enum PortolanStatus portolan_planner_save(struct PortolanPlanner planner, struct PortolanWorld world, const char *path);

/**
 * Opens a planner whose chart was saved for this world.
 *
 * # Safety
 * `path` is a text, and `planner` points to room for a handle.
 */
enum PortolanStatus portolan_planner_open(struct PortolanWorld world,
                                          const char *path,
                                          struct PortolanPlanner *planner);

/**
 * Returns how many algorithms there are.
 */
uintptr_t portolan_algorithm_count(void);

/**
 * Returns the name of an algorithm by its number, in the order of the alphabet; null if there is none of that number.
 */
const char *portolan_algorithm_name(uintptr_t number);

/**
 * Returns the usual rules: eight directions, strict corners, and costs of steps that the engine chooses.
 */
struct PortolanRules portolan_rules_default(void);

/**
 * Returns an edit that gives the cells of an area this weight, 0 to block them, and this kind of ground.
 */
struct PortolanEdit portolan_edit_terrain(struct PortolanArea area, uint8_t weight, uint8_t kind);

/**
 * Returns an edit that gives this side of the cells of an area this border. Sides: 0 north, 1 north-east, and so on
 * clockwise; borders: 0 open, 1 closed, 2 only out of the cells, 3 only into them.
 */
struct PortolanEdit portolan_edit_border(struct PortolanArea area, uint8_t side, uint8_t border);

/**
 * Returns an edit that makes a link from a cell to another, such as stairs or a teleport.
 */
struct PortolanEdit portolan_edit_link(struct PortolanCell from, struct PortolanCell to, uint32_t cost, bool both_ways);

/**
 * Returns an edit that removes the link from a cell to another.
 */
struct PortolanEdit portolan_edit_unlink(struct PortolanCell from, struct PortolanCell to, bool both_ways);

/**
 * Returns the version of this library, such as `0.1.0`.
 */
const char *portolan_version(void);

/**
 * Makes a world of `width` times `height` cells, whose weights are given row by row: 0 is blocked, 1 the lightest ground, 255
 * the heaviest.
 *
 * # Safety
 * `weights` points to `count` bytes, and `world` to room for a handle.
 */
enum PortolanStatus portolan_world_new(uint32_t width,
                                       uint32_t height,
                                       const uint8_t *weights,
                                       uintptr_t count,
                                       struct PortolanRules rules,
                                       struct PortolanWorld *world);

/**
 * Frees a world. Its planners go on knowing it as they do, but nothing can be asked about it any more.
 */
enum PortolanStatus portolan_world_free(struct PortolanWorld world);

/**
 * Writes how many columns and rows a world has.
 *
 * # Safety
 * `width` and `height` point to room for a number each.
 */
enum PortolanStatus portolan_world_size(struct PortolanWorld world, uint32_t *width, uint32_t *height);

/**
 * Writes the weights of all cells, row by row, as far as there is room.
 *
 * # Safety
 * `weights` points to room for `capacity` bytes.
 */
enum PortolanStatus portolan_world_weights(struct PortolanWorld world, uint8_t *weights, uintptr_t capacity);

/**
 * Applies edits, all or none. Planners of the world are stale then, until `portolan_planner_sync`.
 *
 * # Safety
 * `edits` points to `count` edits.
 */
enum PortolanStatus portolan_world_apply(struct PortolanWorld world, const struct PortolanEdit *edits, uintptr_t count);

/**
 * Writes whether there is a way between two cells, there and back.
 *
 * # Safety
 * `connected` points to room for the result.
 */
enum PortolanStatus portolan_world_connected(struct PortolanWorld world,
                                             struct PortolanCell a,
                                             struct PortolanCell b,
                                             bool *connected);

/**
 * Writes the reachable cell nearest to a goal.
 *
 * # Safety
 * `nearest` points to room for a cell.
 */
enum PortolanStatus portolan_world_nearest(struct PortolanWorld world,
                                           struct PortolanCell from,
                                           struct PortolanCell to,
                                           struct PortolanCell *nearest);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PORTOLAN_H */
