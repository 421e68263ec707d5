import { startServer } from "../../e2e/server-process.ts";
import { demonstrationPassword } from "../../server/src/demonstration/plants/plants.ts";
import { type Figure, fixed } from "../figure.ts";
import { onPhone, type PhoneView } from "../lighthouse.ts";
import { middleOf } from "../median.ts";

const runs = 5;

const signIn = async (baseURL: string): Promise<string> => {
  const body = new URLSearchParams({ email: "owner@telltale.local", password: demonstrationPassword });
  const response = await fetch(`${baseURL}/api/user/login`, { method: "POST", body });
  return ((await response.json()) as { result: { token: string } }).result.token;
};

const figuresOf = (name: string, goal: string, views: readonly PhoneView[]): Figure[] => {
  const figure = (what: string, measured: string, aim = ""): Figure => ({
    name: `${name}: ${what}`,
    goal: aim,
    measured,
    baseline: "",
    ratio: "",
  });
  const of = (what: keyof PhoneView): number => middleOf(views.map((view) => view[what]));
  const seconds = (what: keyof PhoneView): string => fixed(of(what) / 1000, 1, "s");
  return [
    figure("score", of("score").toFixed(0), goal),
    figure("first and largest paint", `${seconds("firstPaint")}, ${seconds("largestPaint")}`),
    figure("total blocking time", fixed(of("blocked"), 0, "ms")),
    figure("shift of the layout", of("shift").toFixed(3)),
  ];
};

/** Lighthouse's view of login and dashboard on a phone: the median of five. Requires a Chromium, and at first a network. */
export const phone = async (): Promise<Figure[]> => {
  const server = await startServer({ demo: true });
  try {
    const token = await signIn(server.baseURL);
    const views = async (path: string, signedIn?: string): Promise<PhoneView[]> => {
      const found: PhoneView[] = [];
      for (let run = 0; run < runs; run++) found.push(await onPhone(server.baseURL, path, signedIn));
      return found;
    };
    return [
      ...figuresOf("login", ">= 95", await views("/login")),
      ...figuresOf("dashboard", ">= 90", await views("/", token)),
    ];
  } finally {
    await server.stop();
  }
};
