import type { Page } from "@playwright/test";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { profile } from "@telltale/contract/domains/people/profile";
import { abortCall, restoreCall } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { accountButton, openMemberPage, password, save, signInAsNewOwner } from "./member.ts";
import { clientOf } from "./people.ts";
import { stripes } from "./png.ts";

test.use({ demo: false });

const saved = (page: Page) => page.getByRole("status").filter({ hasText: "Update successful" });

/** Saves, and waits for the success message. */
const saveWell = async (page: Page): Promise<void> => {
  await save(page);
  await expect(saved(page)).toBeVisible();
  await saved(page).getByRole("button", { name: "Close" }).click();
  await expect(saved(page)).toHaveCount(0);
};

test("each field has its own page, keeps what was saved, and has its own message when missing", {
  tag: "@phone",
}, async ({ page, server }) => {
  const email = await signInAsNewOwner(page, server);
  await page.goto("/");
  await accountButton(page, email).click();
  await page.getByRole("menuitem", { name: "Profile" }).click();
  await expect(page).toHaveURL("/profilePhoto");
  await expect(page.getByText(email).locator("visible=true").last()).toBeVisible();

  await openMemberPage(page, "Company");
  await page.getByLabel("Company name").fill("   ");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Company name cannot be blank")).toBeVisible();
  await expect(page.getByLabel("Company name")).toBeFocused();
  await page.getByLabel("Company name").fill("Estuary Water");
  await saveWell(page);

  await openMemberPage(page, "Industry");
  await page.getByRole("combobox", { name: "Industry" }).fill("util");
  await page.getByRole("option", { name: "Utilities" }).click();
  await saveWell(page);

  await openMemberPage(page, "Name");
  await page.getByLabel("First name").fill("");
  await page.getByLabel("Last name").fill("");
  await save(page);
  await expect(page.getByText("First name cannot be blank")).toBeVisible();
  await expect(page.getByText("Last name cannot be blank")).toBeVisible();
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Lund");
  await saveWell(page);
  await expect(accountButton(page, email).getByText("AL"), "the initials in the header").toBeVisible();

  const client = await clientOf(server, email, password);
  expect(await client(accounts.info)).toMatchObject({
    company: "Estuary Water",
    industry: "Utilities",
    firstName: "Ada",
    lastName: "Lund",
  });
});

test("a mobile number takes digits only, ten or eleven", async ({ page, server }) => {
  const email = await signInAsNewOwner(page, server);
  await page.goto("/cellNumber");
  const number = page.getByLabel("Mobile number");
  await save(page);
  await expect(page.getByText("Incorrect formatting of mobile phone number")).toBeVisible();
  await number.pressSequentially("555-01a43");
  await expect(number).toHaveValue("5550143");
  await expect(page.getByRole("alert").filter({ hasText: "Enter the number" })).toBeVisible();
  await save(page);
  await expect(page.getByText("Incorrect formatting of mobile phone number")).toBeVisible();
  await number.fill("+1 (555) 014-3377 99");
  await expect(number).toHaveValue("15550143377");
  await saveWell(page);
  expect(await (await clientOf(server, email, password))(accounts.info)).toMatchObject({ cellNumber: "15550143377" });
});

test("an alias appears in the header at once; an owner's is the plant's name", async ({ page, server }) => {
  await signInAsNewOwner(page, server);
  await page.goto("/alias");
  await expect(page.getByLabel("Alias")).toHaveValue("North mill");
  await page.getByLabel("Alias").fill("");
  await save(page);
  await expect(page.getByText("Alias cannot be blank")).toBeVisible();
  await page.getByLabel("Alias").fill("South mill");
  await saveWell(page);
  await expect(page.getByRole("banner")).toContainText("Owner · South mill");
  await openMemberPage(page, "Linked Accounts");
  await expect(page.getByRole("table", { name: "Linked Accounts" })).toContainText("Owner · South mill");
});

test("input that could not be saved stays in the field, and can be saved when the server is back", async ({
  page,
  server,
}) => {
  await signInAsNewOwner(page, server);
  await page.goto("/company");
  await abortCall(page, profile.update);
  await page.getByLabel("Company name").fill("Estuary Water");
  await save(page);
  await expect(page.getByRole("main").getByRole("alert")).toHaveText("Network is busy");
  await expect(page.getByLabel("Company name")).toHaveValue("Estuary Water");
  await restoreCall(page, profile.update);
  await saveWell(page);
  await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
});

const [red, green, blue] = [
  [200, 30, 30],
  [30, 160, 60],
  [30, 60, 200],
] as const;

/** The colour at the centre of the header's picture. */
const avatarColour = async (page: Page): Promise<number[]> => {
  const picture = page.getByRole("banner").locator("img");
  await expect(picture).toBeVisible();
  return picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [1, 1];
    const context = canvas.getContext("2d");
    context?.drawImage(image, image.naturalWidth / 2, image.naturalHeight / 2, 1, 1, 0, 0, 1, 1);
    return [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
  });
};

const isNear = (colour: readonly number[], wanted: readonly number[]): boolean =>
  colour.every((part, index) => Math.abs(part - (wanted[index] ?? 0)) < 24);

/** The header shows the picture shortly after it was saved. */
const expectAvatar = (page: Page, wanted: readonly number[], message: string): Promise<void> =>
  expect.poll(async () => isNear(await avatarColour(page), wanted), message).toBe(true);

/** Two fingers on the screen, from `from` to `to` pixels apart. */
const pinch = async (page: Page, [x, y]: readonly [number, number], from: number, to: number): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", apart?: number) => {
    const half = (apart ?? 0) / 2;
    const touchPoints = apart === undefined ? [] : [-half, half].map((by, id) => ({ x: x + by, y, id }));
    return session.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  await touch("touchStart", from);
  await touch("touchMove", to);
  await touch("touchEnd");
  await session.detach();
};

test("two fingers and the wheel zoom the photo, and the slider follows", { tag: "@phone" }, async ({
  page,
  server,
}) => {
  await signInAsNewOwner(page, server);
  await page.goto("/profilePhoto");
  const picture = { name: "me.png", mimeType: "image/png", buffer: stripes(900, 300, [red, green, blue]) };
  await page.getByLabel("Profile photo").setInputFiles(picture);
  const place = page.getByRole("application", { name: /^Photo/ });
  const slider = page.getByRole("slider", { name: "Zoom" });
  const zoom = async () => Number(await slider.inputValue());
  const box = await place.boundingBox();
  if (!box) throw new Error("The photo is not on screen");
  const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;
  await pinch(page, middle, 60, 120);
  await expect.poll(zoom, "twice as far apart").toBeCloseTo(2, 1);
  await page.mouse.move(...middle);
  await page.mouse.wheel(0, 400);
  await expect.poll(zoom, "the wheel towards the person").toBeLessThan(1.5);
  await place.press("+");
  await place.press("+");
  await expect.poll(zoom, "plus twice").toBeGreaterThan(1.15);
});

test("a photo is validated, cropped by keyboard and by dragging, saved, and shown in the header", {
  tag: "@phone",
}, async ({ page, server }) => {
  await signInAsNewOwner(page, server);
  await page.goto("/profilePhoto");
  const file = page.getByLabel("Profile photo");
  const complaint = page.getByRole("main").getByRole("alert");
  await save(page);
  await expect(complaint).toHaveText("Please upload a profile photo");
  await file.setInputFiles({ name: "big.png", mimeType: "image/png", buffer: Buffer.alloc(1024 * 1024 + 1) });
  await expect(complaint).toHaveText("The photo must be at most 1 MB");
  await file.setInputFiles({ name: "a.gif", mimeType: "image/gif", buffer: Buffer.from("GIF89a") });
  await expect(complaint).toHaveText("JPG and PNG only");
  await file.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await expect(complaint).toHaveText("JPG and PNG only");

  const picture = { name: "me.png", mimeType: "image/png", buffer: stripes(900, 300, [red, green, blue]) };
  await file.setInputFiles(picture);
  await expect(complaint).toHaveCount(0);
  const place = page.getByRole("application", { name: /^Photo/ });
  await place.focus();
  for (let step = 0; step < 25; step += 1) await page.keyboard.press("ArrowRight");
  await saveWell(page);
  await expectAvatar(page, red, "moved to the right, its left is seen");

  await file.setInputFiles(picture);
  await page.getByRole("slider", { name: "Zoom" }).fill("2");
  const box = await place.boundingBox();
  if (!box) throw new Error("The photo is not on screen");
  for (let pull = 0; pull < 4; pull += 1) {
    await page.mouse.move(box.x + 200, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 10, box.y + 100, { steps: 4 });
    await page.mouse.up();
  }
  await saveWell(page);
  await expectAvatar(page, blue, "pulled to the left, its right is seen");
  await page.reload();
  await expectAvatar(page, blue, "kept");
});
