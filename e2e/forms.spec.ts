import type { Locator, Page } from "@playwright/test";
import { Key } from "@telltale/contract/channel-types/keys";
import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";
import { formOf } from "./screen.ts";
import { openSetup } from "./setup-form.ts";
import { addUnit } from "./unit.ts";

test.describe.configure({ timeout: 180_000 });

/** Low windows, in which a form is longer than the viewport. */
const windows = [
  { width: 1440, height: 520 },
  { width: 1024, height: 520 },
  { width: 390, height: 560 },
];

/** The hidden parts of the focused field: its label, itself, and its error. */
const unseen = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const input = document.activeElement;
    const wrapper = input?.closest(".mantine-InputWrapper-root");
    if (!input || !wrapper) return [`no field has the focus, but ${input?.outerHTML.slice(0, 200)}`];
    const error = wrapper.querySelector(".mantine-InputWrapper-error");
    const label = wrapper.querySelector("label, legend");
    const parts: [string, Element | null][] = [
      ["label", label],
      ["field", input],
      ["sentence", error],
    ];
    return parts.flatMap(([name, part]) => {
      if (!part) return [`no ${name}`];
      const { left, top, bottom } = part.getBoundingClientRect();
      const at = (y: number) => document.elementFromPoint(left + 4, y);
      const isSeen = [top + 2, bottom - 2].every((y) => {
        const found = at(y);
        return found !== null && wrapper.contains(found);
      });
      return isSeen ? [] : [`the ${name} ${part.textContent} at ${Math.round(top)}`];
    });
  });

/** Scrolls to the end of a form and presses its button. */
const submitFromTheEnd = async (button: Locator): Promise<void> => {
  await button.evaluate((element) => {
    for (let box: Element | null = element; box; box = box.parentElement) box.scrollTop = box.scrollHeight;
    window.scrollTo(0, document.documentElement.scrollHeight);
    (element as HTMLElement).click();
  });
};

const forms: readonly { name: string; open: (page: Page) => Promise<Locator> }[] = [
  {
    name: "a custom alert",
    open: async (page) => {
      await page.goto("/configureAlarm?tab=custom");
      await page.getByRole("button", { name: "Add alert" }).click();
      return formOf(page, "Add alert").getByRole("button", { name: "Save" });
    },
  },
  {
    name: "a user",
    open: async (page) => {
      await page.goto("/configureUsers");
      await page.getByRole("button", { name: "Add user" }).click();
      return page.getByRole("dialog").getByRole("button", { name: "Next" });
    },
  },
  {
    name: "a contact",
    open: async (page) => {
      await page.goto("/configureAlarmNotifyUser");
      await page.getByRole("button", { name: "Add contact" }).click();
      return page.getByRole("dialog").locator("button[type=submit]");
    },
  },
];

for (const { width, height } of windows) {
  test(`${width} pixels wide, submitting a form scrolls to the first invalid field, with its label and error in view`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto("/register");
    await submitFromTheEnd(page.locator("form button[type=submit]"));
    expect(await unseen(page), "registration").toEqual([]);
    await injectSession(page, server);
    for (const { name, open } of forms) {
      const button = await open(page);
      await expect(button).toBeVisible();
      await submitFromTheEnd(button);
      expect(await unseen(page), name).toEqual([]);
    }
  });
}

test("channel settings keep both ends of a range, and an alarm with its hysteresis, side by side at each width", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  await injectSession(page, server);
  await openSetup(page, server, unit);
  const pairs = [
    [Key.zero, Key.span],
    [Key.lowerAlarm, Key.lowerHysteresis],
    [Key.higherAlarm, Key.higherHysteresis],
    [Key.higherDelay, Key.higherClearDelay],
  ] as const;
  for (const width of [1920, 1440, 1366, 1280, 1024, 800, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const channel = page.getByRole("region", { name: "AI1", exact: true });
    for (const pair of pairs) {
      const [first, second] = await Promise.all(
        pair.map((key) => channel.locator(`input[data-field="${key}"]`).boundingBox()),
      );
      expect(second?.y, `${pair.join(" and ")} at ${width}`).toBeCloseTo(first?.y ?? 0, 0);
      expect(second?.x ?? 0).toBeGreaterThan((first?.x ?? 0) + (first?.width ?? 0));
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test("an account that may not create threshold alerts gets no form under that tab; the owner's form asks for the type", async ({
  page,
  server,
}) => {
  for (const person of ["manager", "installer", "admin"] as const) {
    await injectSession(page, server, person);
    await page.goto("/configureAlarm");
    await expect(page.getByText("The owner sets up threshold alerts and notifications.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Add alert" })).toHaveCount(0);
    await page.getByRole("tab", { name: "Custom alert" }).click();
    await page.getByRole("button", { name: "Add alert" }).click();
    await expect(formOf(page, "Add alert").getByLabel("Hysteresis")).toBeVisible();
  }
  await injectSession(page, server, "owner");
  await page.goto("/configureAlarm");
  await page.getByRole("button", { name: "Add alert" }).click();
  const dialog = formOf(page, "Add alert");
  await expect(dialog.getByRole("combobox", { name: "Alert type" })).toHaveValue("");
  await expect(dialog.getByLabel("Hysteresis")).toHaveCount(0);
});
