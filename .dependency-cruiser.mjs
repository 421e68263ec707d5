/** Who may import whom. A rule's comment is what the developer reads when it fails. */

const domains =
  "accounts|alerts|channels|contacts|dashboards|devices|downloads|firmware|orders|profile|sms|support|users";
const machinery = "gateway|telemetry|alarms|live|jobs|notify|operator";
const tests = ["[.](test|spec)[.]tsx?$", "/test-[^/]+[.]ts$", "^server/src/test/"];
const rules = ["^server/src/.*rules[.]ts$", "^server/src/alarms/evaluate[.]ts$"];

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

const inTheServer = [
  forbid("main-is-the-top", "Nothing imports main.ts.", { to: "^server/src/main[.]ts$" }),
  forbid("app-is-above", "Only main.ts, tests and the benchmark build the app.", {
    from: "^server/src/",
    except: ["^server/src/main[.]ts$", ...tests],
    to: "^server/src/app[.]ts$",
  }),
  forbid("routes-are-for-the-app", "A domain's routes are mounted by app.ts; everybody else uses its queries.ts.", {
    from: "^server/src/",
    except: ["^server/src/app[.]ts$", `^server/src/(${domains})/`, ...tests],
    to: `^server/src/(${domains})/.*routes[.]ts$`,
  }),
  forbid("domains-share-queries", "A domain uses another's queries.ts and nothing else of it.", {
    from: `^server/src/(${domains})/`,
    except: tests,
    to: `^server/src/(${domains})/`,
    but: ["^server/src/$1/", "queries[.]ts$"],
  }),
  forbid("domains-are-below-the-gateway", "A domain stands on database, http, contract and world.", {
    from: `^server/src/(${domains})/`,
    except: tests,
    to: "^server/src/(gateway|jobs|operator)/",
  }),
  forbid("http-knows-no-domain", "http/ serves any domain and knows none.", {
    from: "^server/src/http/",
    except: tests,
    to: `^server/src/(${domains}|${machinery})/`,
  }),
  forbid("database-knows-no-domain", "database/ is at the bottom.", {
    from: "^server/src/database/",
    to: `^server/src/(${domains}|${machinery}|http)/`,
  }),
  forbid("rules-are-pure", "Rules judge what they are given: no database, no network, no clock.", {
    from: rules,
    to: [
      "^server/src/(database|http|gateway|live|jobs|notify)/",
      "^server/src/(clock|world|config)[.]ts$",
      "(^|/)node_modules/(pg|kysely|fastify|aedes|pino)/",
    ],
  }),
  {
    ...forbid("rules-need-no-node", "Rules judge what they are given: nothing of node:.", { from: rules }),
    to: { dependencyTypes: ["core"] },
  },
];

const inTheConsole = [
  forbid("app-is-the-top", "app/ joins the features; nothing below imports it.", {
    from: "^console/src/(features|table|form|session|ui|format)/",
    to: "^console/src/app/",
  }),
  forbid("features-are-strangers", "Features share through table, form, session, ui and format.", {
    from: "^console/src/features/([^/]+)/",
    to: "^console/src/features/",
    but: "^console/src/features/$1/",
  }),
  forbid("features-are-above", "table, form, session, ui and format know no feature.", {
    from: "^console/src/(table|form|session|ui|format)/",
    to: "^console/src/features/",
  }),
  forbid("ui-is-the-bottom", "ui and format are used by table, form and session, not the other way round.", {
    from: "^console/src/(ui|format)/",
    to: "^console/src/(table|form|session)/",
  }),
  forbid("ui-knows-no-domain", "ui/ is told what to show: it does not know the contract.", {
    from: "^console/src/ui/",
    to: "^contract/",
  }),
];

const everywhere = [
  { ...forbid("no-circles", "A circle cannot be read from any end.", {}), to: { circular: true } },
  {
    ...forbid("no-dead-ends", "This leads nowhere: a slip of the pen, or a package not installed.", {}),
    to: { couldNotResolve: true },
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
