import type { Plugin, Rolldown } from "vite";
import { firstCalls } from "../src/routes/first-calls.ts";
import { loadedWith } from "./part-files.ts";

type Bundle = Rolldown.OutputBundle;

/** Where the page has them. */
const places = { files: "%FIRST_FILES%", calls: "%FIRST_CALLS%" } as const;

const shell = "routes/shell/shell.tsx";
/** By address: what a browser loads for the page that is opened there, signed in, or not for the login. */
const screens: Readonly<Record<string, readonly string[]>> = {
  "/login": ["features/accounts/entry/login.tsx"],
  "/": [shell, "routes/screens/dashboard-screen.tsx"],
  "/alarms": [shell, "features/alerts/alert-screen.tsx"],
  "/devices": [shell, "routes/screens/devices-screen.tsx"],
};

/** The file of the chunk that was made for this source. */
const chunkOf = (bundle: Bundle, source: string): string => {
  const found = Object.values(bundle).find(
    (file) => file.type === "chunk" && file.facadeModuleId?.endsWith(`/src/${source}`),
  );
  if (!found) throw new Error(`The build has no chunk of its own for ${source}`);
  return found.fileName;
};

const filesOf = (bundle: Bundle): Record<string, string[]> => {
  const entry = Object.values(bundle).find((file) => file.type === "chunk" && file.isEntry);
  const named = entry ? loadedWith(bundle, entry.fileName) : new Set();
  return Object.fromEntries(
    Object.entries(screens).map(([path, sources]) => {
      const files = new Set(sources.flatMap((source) => [...loadedWith(bundle, chunkOf(bundle, source))]));
      return [path, [...files].filter((file) => !named.has(file))];
    }),
  );
};

const callsOf = (): Record<string, string[]> =>
  Object.fromEntries(Object.entries(firstCalls).map(([path, calls]) => [path, calls.map((call) => call.path)]));

/** As the content of an attribute. */
const quoted = (value: object): string => JSON.stringify(value).replaceAll('"', "&quot;");

/**
 * Names in the page the files of the screens that are opened most, and the calls that they begin with, for `public/first.js`, which requests those of
 * the address beside the first script. They would otherwise wait until that has come and run: half a second on a phone.
 */
export const firstFiles = (): Plugin => ({
  name: "first-files",
  transformIndexHtml: {
    order: "post",
    handler: (html, { bundle }) =>
      html.replace(places.files, quoted(bundle ? filesOf(bundle) : {})).replace(places.calls, quoted(callsOf())),
  },
});
