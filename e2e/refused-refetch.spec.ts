import { Code } from "@telltale/contract/call/codes";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { drawn } from "./accessibility.ts";
import { addressesOf, refuseCall, restoreCall, warning } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { clientOf, openSignedIn } from "./people.ts";
import { tileOf } from "./screen.ts";
import { freshName } from "./unit.ts";

// Nobody else changes its dashboard: requests are counted.
test.use({ own: "unchanged" });

test("a dashboard that fails to load again stays, with the server's sentence as a warning, and without for code -1", async ({
  page,
  server,
}) => {
  const owner = await clientOf(server);
  const [choice] = (await owner(dashboards.choices, { name: "Wet well level" })).data;
  // One change only: each is followed by a request.
  const change = () =>
    owner(dashboards.edit, { name: freshName("Shift"), deviceChannelIds: [choice?.deviceChannelId ?? 0] });
  await openSignedIn(page, server);
  const tile = tileOf(page, "Discharge pressure", "Pump house 2");
  await expect(tile).toBeVisible();
  let requests = 0;
  page.on("request", (request) => {
    requests += addressesOf(dashboards.tiles).test(request.url()) ? 1 : 0;
  });
  await refuseCall(page, dashboards.tiles, -1, "Nobody needs to read this");
  const refused = page.waitForResponse(addressesOf(dashboards.tiles));
  await change();
  await (await refused).finished();
  await drawn(page);
  expect(requests).toBe(1);
  await expect(page.getByText("Nobody needs to read this")).toHaveCount(0);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(tile).toBeVisible();

  await restoreCall(page, dashboards.tiles);
  await refuseCall(page, dashboards.tiles, Code.conflict, "This dashboard is being rebuilt");
  await change();
  await expect(warning(page, "This dashboard is being rebuilt")).toBeVisible();
  await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
  await expect(tile).toBeVisible();
});
