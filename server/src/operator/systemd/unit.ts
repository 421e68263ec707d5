/** What the unit has to start. */
export interface Installation {
  /** Node's program. */
  node: string;
  /** Folder of the checkout or of the package. */
  root: string;
  isCheckout: boolean;
}

/** The unit hides these folders from the service (ProtectHome, PrivateTmp). */
const hidden = /^\/(home|root|run\/user|tmp|var\/tmp)\//;

/** The paths that the service could not see. */
export const hiddenFrom = ({ node, root }: Installation): string[] => [node, root].filter((path) => hidden.test(path));

/** A word of a command line in a unit: % begins a specifier there, and $ a variable. */
const quoted = (path: string): string => {
  const escaped = path.replaceAll("%", "%%").replaceAll("$", "$$$$");
  return /[\s"'\\]/.test(path) ? JSON.stringify(escaped) : escaped;
};

/** The start of a checkout installs and builds after an upgrade. */
const checkoutLines = (root: string): string[] => {
  const path = root.replaceAll("%", "%%");
  return [`WorkingDirectory=${path}`, `ReadWritePaths=${/\s/.test(path) ? JSON.stringify(path) : path}`];
};

/** The unit of docs/operate with the paths of this installation. */
export const unitFor = (template: string, installation: Installation): string => {
  const { node, root, isCheckout } = installation;
  const start = `ExecStart=${quoted(node)} ${quoted(`${root}/bin/telltale.mjs`)} start`;
  const lines = isCheckout ? [...checkoutLines(root), start] : [start];
  const kept = isCheckout ? template.replace(/^WorkingDirectory=.*\n/m, "") : template;
  return kept.replace(/^ExecStart=.*$/m, () => lines.join("\n"));
};

/** The variables that the unit itself sets, as NAME=value. */
const setBy = (unit: string): string[] => /^Environment=(.*)$/m.exec(unit)?.[1]?.split(" ") ?? [];

/** The names in a cell of README's table. */
const namesIn = (cell: string): string[] => [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name ?? "");

const plain = (markdown: string): string => markdown.replaceAll("`", "").replace(/\[([^\]]+)\]\([^)]+\)/g, "$1");

/** The rows of README's table of variables: their cells. */
const rowsOf = (readme: string): string[][] =>
  readme
    .split("\n")
    .filter((line) => /^\| `[A-Z][A-Z0-9_]+`/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()));

/** The environment file: every variable of README's table, commented out, with its meaning. */
export const settingsFor = (readme: string, unit: string): string => {
  const set = setBy(unit);
  const isSet = (name: string) => set.some((assignment) => assignment.startsWith(`${name}=`));
  const settings = rowsOf(readme).map(([, variable = "", initial = "", meaning = ""]) => {
    const names = namesIn(variable).filter((name) => !isSet(name));
    if (names.length === 0) return "";
    const isDefault = initial ? ` (default: ${plain(initial)})` : "";
    return [`# ${plain(meaning) || "see the README"}${isDefault}`, ...names.map((name) => `#${name}=`), ""].join("\n");
  });
  return [
    "# The settings of Telltale, NAME=value a line. They are applied by: systemctl restart telltale",
    `# The unit sets ${set.join(" ")}; a line here replaces that.`,
    "",
    ...settings.filter((text) => text !== ""),
  ].join("\n");
};
