/** Who may import whom. A rule's comment is what the developer reads when it fails. */

/**
 * The server's modules from the bottom up: each imports what stands on an earlier line, and itself, nothing else. One that stands
 * nowhere here fails: give it its place. (docs/architecture.md)
 */
const serverOrder = [
  ["plant-file"],
  ["readings-file", "import-file"],
  ["platform/(database|jobs|files)"],
  ["platform/node"],
  ["platform/bus"],
  ["platform/http"],
  ["platform/(limits|metrics)"],
  ["access"],
  ["notify"],
  ["readings", "sparkplug"],
  ["bridges"],
  ["alarms", "live", "modules/(audit|site|support)"],
  ["modules/billing"],
  ["telemetry"],
  ["modules/(channels|downloads|imports)", "backup"],
  ["modules/(dashboards|joint|history|personal|storage|trial)"],
  ["modules/(devices|links|rewind)"],
  ["modules/(accounts|firmware|keys|labels|provisioning|sql-access)"],
  ["gateway", "modules/(profile|push|users|contacts|webhooks|bridges)", "operator", "demonstration"],
];
const tests = ["[.](test|spec)[.]tsx?$", "/test-[^/]+[.]ts$", "^server/src/test/"];
const rules = ["^server/src/.*rules[.]ts$", "^server/src/alarms/evaluate[.]ts$"];
/** Modules with a door: outside it, only `index.ts` and pure rules may be imported. */
const doors = "(modules/[^/]+|access|alarms|bridges|gateway|live|notify|readings|telemetry)";

/** An empty list would match everything: leave it out. */
const side = (path, pathNot) => ({ ...(path ? { path } : {}), ...(pathNot ? { pathNot } : {}) });

/** Nothing of `from` (less `except`) may import anything of `to` (less `but`). */
const forbid = (name, comment, { from, except, to, but }) => ({
  name,
  comment,
  severity: "error",
  from: side(from, except),
  to: side(to, but),
});

const betweenPackages = [
  forbid("contract-needs-zod-only", "contract/ is shared by all: it imports zod and itself.", {
    from: "^contract/src/",
    except: tests,
    but: ["^contract/src/", "(^|/)node_modules/zod/"],
  }),
  forbid("calls-know-no-domain", "How a call is declared and worded serves any domain and knows none.", {
    from: "^contract/src/(call|text)/",
    except: tests,
    to: "^contract/src/(domains|channel-types)/",
  }),
  ...["server", "console", "simulator", "e2e"].map((part) =>
    forbid(`${part}-knows-the-contract-only`, "The parts meet in contract/ and nowhere else.", {
      from: `^${part}/`,
      to: "^(server|console|simulator|bench|prove|e2e)/",
      but: `^${part}/`,
    }),
  ),
  forbid("nobody-needs-the-bench", "bench/ measures all parts and is part of none.", {
    from: "^(contract|server|console|simulator|prove|e2e)/",
    to: "^bench/",
  }),
  forbid("nobody-needs-prove", "prove/ tries the product and is part of none of it.", {
    from: "^(contract|server|console|simulator|bench|e2e)/",
    to: "^prove/",
  }),
  forbid(
    "prove-stays-outside",
    "prove/ comes as clients and devices do: it starts servers and speaks to them, and is part of nothing.",
    {
      from: "^prove/",
      to: "^(server|console|bench)/",
    },
  ),
  forbid("server-libraries", "fastify, kysely and aedes belong to the server.", {
    from: "^(contract|console|simulator|e2e)/",
    to: "(^|/)node_modules/(fastify|@fastify|kysely|aedes)/",
  }),
  forbid("react-in-the-console", "React belongs to the console.", {
    from: "^(contract|server|simulator|bench|e2e)/",
    to: "(^|/)node_modules/(@types/)?(react|react-dom|@mantine|@tanstack)/",
  }),
];

const placed = serverOrder.flat().map((module) => `^server/src/${module}/`);
const layers = serverOrder.flatMap((modules, line) => {
  const above = serverOrder.slice(line).flat();
  return modules.map((module) =>
    forbid(
      `server-order-${module.replace(/[^a-z]+/g, "-")}`,
      "A module imports what stands below it: see `serverOrder`.",
      {
        from: `^server/src/(${module})/`,
        except: tests,
        to: `^server/src/(${above.join("|")})/`,
        but: [`^server/src/${/[(]/.test(module) ? "$1" : module}/`],
      },
    ),
  );
});

const inTheServer = [
  ...layers,
  forbid("server-modules-have-a-place", "A new module stands in `serverOrder` first.", {
    from: "^server/src/[^/]+/",
    except: [...placed, ...tests, "^server/src/platform/[^/]+$"],
  }),
  forbid("platform-is-the-bottom", "What all of the server stands on knows nothing of it, only what `World` names.", {
    from: "^server/src/platform/",
    except: tests,
    to: "^server/src/",
    but: ["^server/src/platform/", "^server/src/(world|config)[.]ts$"],
  }),
  forbid("main-is-the-top", "Nothing imports main.ts.", { to: "^server/src/main[.]ts$" }),
  forbid("app-is-above", "Only main.ts, tests and the benchmark build the app; start.ts knows its options.", {
    from: "^server/src/",
    except: ["^server/src/(main|start)[.]ts$", ...tests],
    to: "^server/src/app[.]ts$",
  }),
  forbid("modules-have-a-door", "A module is entered by its index.ts; only pure rules are imported past it.", {
    from: `^server/src/(?!(?:modules/[^/]+|access|alarms|bridges|gateway|live|notify|readings|telemetry)/)`,
    except: tests,
    to: `^server/src/${doors}/`,
    but: [`^server/src/${doors}/index[.]ts$`, ...rules],
  }),
  forbid("modules-enter-by-doors", "A module is entered by its index.ts; only pure rules are imported past it.", {
    from: `^server/src/${doors}/`,
    except: tests,
    to: `^server/src/${doors}/`,
    but: ["^server/src/$1/", `^server/src/${doors}/index[.]ts$`, ...rules],
  }),
  forbid("rules-are-pure", "Rules judge what they are given: no database, no network, no clock.", {
    from: rules,
    to: [
      "^server/src/(gateway|live|notify)/",
      "^server/src/platform/(bus|database|files|http|jobs|limits|metrics|node)/",
      "^server/src/(platform/clock|world|config)[.]ts$",
      "(^|/)node_modules/(pg|kysely|fastify|aedes|pino)/",
    ],
  }),
  {
    ...forbid("rules-need-no-node", "Rules judge what they are given: nothing of node:.", { from: rules }),
    to: { dependencyTypes: ["core"] },
  },
];

/** The console from the bottom up; features stand on one line and are strangers to each other. */
const consoleOrder = ["ui", "session", "form", "table", "domain", "features", "landing", "routes"];

const inTheConsole = [
  ...consoleOrder.map((folder, line) =>
    forbid(`console-order-${folder}`, `From the bottom up: ${consoleOrder.join(", ")}.`, {
      from: `^console/src/${folder}/`,
      except: tests,
      to: `^console/src/(${[...consoleOrder.slice(line + 1), "main"].join("|")})`,
    }),
  ),
  forbid("console-folders-have-a-place", "A new folder stands in `consoleOrder` first.", {
    from: "^console/src/[^/]+/",
    except: [`^console/src/(${consoleOrder.join("|")})/`],
  }),
  forbid("features-are-strangers", "Features share through domain, table, form, session and ui; routes join them.", {
    from: "^console/src/features/([^/]+)/",
    to: "^console/src/features/",
    but: "^console/src/features/$1/",
  }),
  forbid("ui-knows-no-domain", "ui/ is told what to show: it does not know the contract's domains.", {
    from: "^console/src/ui/",
    to: "^contract/src/(domains|channel-types)/",
  }),
];

const everywhere = [
  { ...forbid("no-circles", "A circle cannot be read from any end.", {}), to: { circular: true } },
  {
    ...forbid("no-dead-ends", "This leads nowhere: a slip of the pen, or a package not installed.", {}),
    // A plugin of the console's build makes those.
    to: { couldNotResolve: true, pathNot: "^virtual:" },
  },
  forbid("tests-stay-tests", "Only tests import tests and what helps them.", {
    except: [...tests, "^e2e/"],
    to: tests,
  }),
];

export default {
  forbidden: [...betweenPackages, ...inTheServer, ...inTheConsole, ...everywhere],
  options: {
    // TypeScript 7 offers no JavaScript interface to parse with.
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: ["^[a-z0-9]+/dist/"] },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json", ".d.ts"],
    },
  },
};
