import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ESTree, Plugin } from "vite";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The API documentation is the server's. */
const elsewhere = /\.test\.ts$|call\/openapi\.ts$/;

/** Methods that the sources call of texts and dates, never of a schema: a schema that would need one could not be made, on any page. */
const ofOthers = new Set(["endsWith", "format", "includes", "normalize", "startsWith", "toLowerCase", "toUpperCase"]);

/** Every method that the sources call, of whatever it is: what the console may call of a schema. Too many of them cost bytes, none is missed. */
const calledNames = (): ReadonlySet<string> => {
  const sources = globSync(["contract/src/**/*.ts", "console/src/**/*.{ts,tsx}"], { cwd: root });
  const names = sources
    .filter((file) => !elsewhere.test(file))
    .flatMap((file) => [...readFileSync(root + file, "utf8").matchAll(/(?<!\b(?:z|iso|wire))\.\s*(\w+)\(/g)]);
  return new Set(names.map(([, name]) => name ?? "").filter((name) => !ofOthers.has(name)));
};

/** What schemas call of each other. */
const internal = /\bthis\??\.(\w+)\(/g;

const nameOf = ({ key }: ESTree.ObjectProperty): string | undefined =>
  key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : undefined;

/** The object literals with the members of a class: the third argument of `$constructor`, by itself or given to `derived`. */
const memberLists = (program: ESTree.Program): readonly ESTree.ObjectExpression[] =>
  program.body.flatMap((statement) => {
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : null;
    if (declared?.type !== "VariableDeclaration") return [];
    return declared.declarations.flatMap(({ init }) => {
      const members = init?.type === "CallExpression" ? init.arguments[2] : undefined;
      const lists = members?.type === "CallExpression" ? members.arguments : [members];
      return lists.filter((list) => list?.type === "ObjectExpression");
    });
  });

/** What is left out as a whole, of the errors and of the core. */
const whole = {
  errors: / {4}const proto = Object\.getPrototypeOf\(inst\);\n.*?\n(?=\};\nexport const ZodError )/s,
  core: /, \{\n[^\n]*\n {4}get "~standard"\(\) \{.*?\n\}(?=\);\n)/s,
};

const unknown = "zod is built otherwise than zod-parts.ts knows: see what it can leave out";

const without = (code: string, part: RegExp): string => {
  if (!part.test(code)) throw new Error(unknown);
  return code.replace(part, "");
};

/**
 * Leaves out of the console's build what it does not use of zod: half of it. A schema's methods are members of one object for each class,
 * where no bundler can tell which are called; each keeps a format, a check or a class. Left out are those that no source calls, and for
 * every class: its description as JSON Schema (only the server's API page asks), the English messages (every field's message is the
 * contract's own, contract/src/text), what is for schemas that contain themselves (the contract has none), the compiling of parsers
 * (the content security policy forbids it), the interface for other libraries, and errors as texts and trees.
 */
export const zodParts = (): Plugin => ({
  name: "zod-parts",
  apply: "build",
  transform: {
    filter: { id: /zod\/v4\/(classic\/(schemas|errors)|core\/schemas)\.js$/ },
    handler(code, id) {
      if (!id.endsWith("classic/schemas.js")) return without(code, whole[id.endsWith("errors.js") ? "errors" : "core"]);
      const used = new Set([...calledNames(), ...[...code.matchAll(internal)].map(([, name]) => name ?? "")]);
      const unused = memberLists(this.parse(code)).flatMap(({ properties }) =>
        properties.filter((each) => each.type === "Property" && !used.has(nameOf(each) ?? "")),
      );
      if (unused.length === 0) throw new Error(unknown);
      const lean = unused
        .toSorted((one, other) => other.start - one.start)
        .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end).replace(/^,/, ""), code);
      return lean
        .replace(/^ *inst\._zod\.processJSONSchema = .*$/gm, "")
        .replace(/^ *_ensureDefault(Locale|Memoizer)\(\);$/gm, "")
        .replaceAll("$ZodObjectJIT", "$ZodObject");
    },
  },
});
