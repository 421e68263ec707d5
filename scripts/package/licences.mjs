import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../place.mjs";

const isNotice = (file) => /^(licen[cs]e|notice|copying)/i.test(file);

const noticesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isNotice(entry.name))
    .map(({ name }) => readFileSync(join(folder, name), "utf8").trim());

/** Names of libraries of node_modules that a package of this repository uses, with those that they use themselves. */
const usedBy = (packages, path, found = new Set()) => {
  const { dependencies = {} } = packages[path];
  for (const name of Object.keys(dependencies)) {
    const inner = `${path}/node_modules/${name}`;
    const place = packages[inner] ? inner : `node_modules/${name}`;
    if (found.has(place) || !packages[place] || packages[place].link) continue;
    found.add(place);
    usedBy(packages, place, found);
  }
  return found;
};

/** The notices of all libraries that are part of the bundled programs and of the console; `outside` are installed beside them with their own. */
export const licencesOf = (outside) => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const places = new Set(["server", "simulator", "console"].flatMap((path) => [...usedBy(packages, path)]));
  return [...places]
    .filter((place) => !outside.has(place.replace(/^.*node_modules\//, "")))
    .sort((a, b) => a.localeCompare(b, "en"))
    .map((place) => {
      const { version, license = "see its folder" } = packages[place];
      const name = place.replace(/^.*node_modules\//, "");
      return [`${name} ${version} (${license})`, ...noticesIn(join(root, place))].join("\n\n");
    })
    .join(`\n\n${"-".repeat(80)}\n\n`);
};
