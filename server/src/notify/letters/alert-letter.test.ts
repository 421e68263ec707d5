import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AlertFacts } from "./alert-facts.ts";
import { alertLetter, alertSms } from "./alert-letter.ts";
import { gsm } from "./gsm.rules.ts";
import { html, plainText } from "./letter.ts";

const happened = Date.parse("2026-05-01T12:00:09Z");
const facts: AlertFacts = {
  alarmClass: AlertClass.custom,
  alarmType: AlertType.high,
  alarmName: "Wet well high",
  deviceSnId: "7C9EBD5C1E08",
  deviceName: "Pump house",
  channelName: "Wet well level",
  channelCn: "AI2",
  value: 3.128,
  unit: "m",
  threshold: 2.9,
  msg: "",
  time: happened,
  toldTime: happened + 2_000,
  zone: "Europe/Berlin",
  plantName: "Riverside Works",
  onlyWhileOpen: null,
  stopKey: null,
};
const to = { publicUrl: "https://telltale.test", recipient: "nora@example.test" };

describe("an alert's mail", () => {
  test("names device, channel, value and threshold with their unit, the time on the device's wall, and the plant", () => {
    const letter = alertLetter(facts, to);
    expect(letter.subject).toBe("High: Wet well level 3.13 m - Pump house");
    expect(plainText(letter)).toBe(
      [
        "“Wet well level” of “Pump house” has raised an alert: 3.13 m, threshold 2.90 m.",
        [
          "Alert: Wet well high",
          "Type: High",
          "Device: Pump house",
          "Channel: Wet well level",
          "Value: 3.13 m",
          "Threshold: 2.90 m",
          "Triggered: 2026-05-01 14:00:09 (Europe/Berlin)",
          "Plant: Riverside Works",
        ].join("\n"),
        "Open the alert:\nhttps://telltale.test/alarms?deviceSnId=7C9EBD5C1E08",
        "You receive this because the alert is assigned to you in “Riverside Works”.",
        "Telltale",
      ].join("\n\n"),
    );
  });

  test("says ON and OFF of a contact, also where a limit raised it", () => {
    const contact = { ...facts, channelName: "Pump runs", isSwitch: true, value: 1, unit: "", threshold: 1 };
    expect(alertLetter(contact, to).subject).toBe("High: Pump runs ON - Pump house");
    expect(plainText(alertLetter(contact, to))).not.toContain("Threshold");
  });

  test("opens the recipient's own link, and says that it is theirs alone", () => {
    const letter = alertLetter({ ...facts, alertId: 7 }, { ...to, link: "https://telltale.test/c/AbC" });
    expect(letter.action).toEqual({ label: "Open the alert", url: "https://telltale.test/c/AbC" });
    expect(letter.footnotes?.[0]).toContain("Do not forward it");
    expect(alertLetter({ ...facts, alertId: 7 }, to).footnotes?.join()).not.toContain("forward");
  });

  test("lets a contact stop, and a name is never HTML", () => {
    const letter = alertLetter({ ...facts, stopKey: "a-key", deviceName: "<img src=x>" }, to);
    expect(letter.leave?.url).toBe("https://telltale.test/contact?accessToken=a-key&email=nora%40example.test&stop=1");
    expect(html(letter)).toContain("&lt;img src=x&gt;");
    expect(html(letter)).not.toContain("<img");
  });

  test("makes no link and no second line of what people have typed, in SMS neither", () => {
    const typed = "www.evil.com\r\nBcc: all";
    const named = { deviceName: typed, channelName: typed, plantName: typed, alarmName: typed, unit: "x.com" };
    const letter = alertLetter({ ...facts, ...named }, to);
    for (const text of [letter.subject, ...letter.paragraphs, ...(letter.facts ?? []).map(String)]) {
      expect(text).not.toMatch(/evil\.com|x\.com|[\r\n]/);
    }
    expect(alertSms({ ...facts, ...named }, to)).not.toMatch(/evil\.com|x\.com/);
  });

  test("says when the device has reported late", () => {
    const late = alertLetter({ ...facts, toldTime: happened + 3_600_000 }, to);
    expect(late.paragraphs).toContain("The device has reported this late: it happened at the time below.");
  });

  test("begins with what to do, a line each, and opens the alert's page", () => {
    const response = "1. Rake the screens.\n\n2. Start pump 2, see www.evil.com";
    const letter = alertLetter({ ...facts, alertId: 71, priority: 1, response }, to);
    expect(letter.paragraphs.slice(1)).toEqual([
      "What to do:",
      "1. Rake the screens.",
      "2. Start pump 2, see www. evil. com",
    ]);
    expect(letter.facts).toContainEqual(["Priority", "P1"]);
    expect(letter.action?.url).toBe("https://telltale.test/alarms/detail?alarmLogId=71");
  });

  test("of a notification says what happened to the device", () => {
    const offline = {
      ...facts,
      alarmClass: 4,
      alarmType: AlertType.system,
      channelName: null,
      channelCn: null,
      value: null,
    };
    const letter = alertLetter({ ...offline, threshold: null, msg: "Offline for 30 minutes" }, to);
    expect(letter.subject).toBe("Pump house: Offline for 30 minutes");
    expect(letter.action?.url).toBe("https://telltale.test/alarms/notifications?deviceSnId=7C9EBD5C1E08");
    expect(letter.facts?.map(([name]) => name)).toEqual(["Alert", "Device", "Triggered", "Plant"]);
  });

  test("of a condition without a value says in words what is wrong with the channel", () => {
    const silent = {
      ...facts,
      alarmType: AlertType.system,
      value: null,
      threshold: null,
      msg: "No data for 10 minutes",
    };
    const letter = alertLetter(silent, to);
    expect(letter.subject).toBe("Wet well level - Pump house: No data for 10 minutes");
    expect(letter.paragraphs[0]).toBe("“Wet well level” of “Pump house” in “Riverside Works”: No data for 10 minutes.");
    expect(letter.facts?.map(([name]) => name)).toEqual(["Alert", "Device", "Channel", "Triggered", "Plant"]);
    expect(alertSms(silent, to)).toMatch(/^Wet well level, Pump house: No data for 10 minutes\./);
  });

  test("of a value beyond the sensor's range says that it is a sensor fault", () => {
    const msg = "Sensor fault: beyond the sensor's range";
    const letter = alertLetter({ ...facts, msg }, to);
    expect(letter.paragraphs[1]).toBe(`${msg}.`);
    expect(alertSms({ ...facts, msg }, to)).toContain(msg);
  });

  test.each([
    [AlertType.digitalInput, 1, "DI: Float switch ON - Pump house"],
    [AlertType.digitalOutput, 0, "DO: Float switch OFF - Pump house"],
    [AlertType.counting, 500, "Counting: Float switch 500 m - Pump house"],
  ])("of type %i writes %d as the alert log does", (alarmType, value, subject) => {
    expect(alertLetter({ ...facts, channelName: "Float switch", alarmType, value }, to).subject).toBe(subject);
  });
});

describe("an alert's SMS", () => {
  test("says the same in one line", () => {
    expect(alertSms(facts, to)).toBe(
      "High: Wet well level 3.13 m (threshold 2.90 m), Pump house. 05-01 14:00, Riverside Works https://telltale.test/alarms",
    );
  });

  test("links to the alert's page", () => {
    expect(alertSms({ ...facts, alertId: 71 }, to)).toContain(" https://telltale.test/alarms/detail?alarmLogId=71");
  });

  test("always has the recipient's own link: names give way to it, then threshold and plant", () => {
    const link = "https://alerts.riverside-works.example/c/AbCdEfGhIjKlMn-_2n9c";
    const own = { ...to, link };
    expect(alertSms(facts, own)).toBe(
      `High: Wet well level 3.13 m (threshold 2.90 m), Pump house. 05-01 14:00, Riverside Works ${link}`.slice(0, 160),
    );
    const name = fc.string({ unit: "grapheme", maxLength: 120 });
    const any = fc.record({ deviceName: name, channelName: name, plantName: name, unit: name, msg: name });
    const figure = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(any, figure, fc.constantFrom(2, 4), fc.boolean(), (names, value, alarmClass, isLate) => {
        const toldTime = happened + (isLate ? 86_400_000 : 0);
        const text = alertSms({ ...facts, ...names, value, threshold: -value, alarmClass, toldTime }, own);
        expect(text.length).toBeLessThanOrEqual(160);
        expect(gsm(text)).toBe(text);
        expect(text).toContain("05-01 14:00");
        expect(text.endsWith(` ${link}`)).toBe(true);
      }),
    );
  });

  test("leaves out a link of its own that would leave no room for the alert", () => {
    const link = `https://${"a".repeat(80)}.example/c/AbCdEfGhIjKlMn-_2n9c`;
    expect(alertSms(facts, { ...to, link })).toBe(alertSms(facts, to));
  });

  test("has at most 160 characters that every phone knows, whatever the names are", () => {
    const name = fc.string({ unit: "grapheme", maxLength: 120 });
    const any = fc.record({ deviceName: name, channelName: name, plantName: name, unit: name, msg: name });
    const figure = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(any, figure, fc.constantFrom(2, 4), fc.boolean(), (names, value, alarmClass, isLate) => {
        const toldTime = happened + (isLate ? 86_400_000 : 0);
        const text = alertSms({ ...facts, ...names, value, threshold: -value, alarmClass, toldTime }, to);
        expect(text.length).toBeLessThanOrEqual(160);
        expect(gsm(text)).toBe(text);
        expect(text).toContain("05-01 14:00");
      }),
    );
  });
});
