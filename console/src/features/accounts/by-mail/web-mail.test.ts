import { describe, expect, it } from "vitest";
import { webMailOf } from "./web-mail.ts";

describe("the web mail of an address", () => {
  it.each([
    ["m.okafor@gmail.com", "https://mail.google.com/"],
    ["m.okafor@googlemail.com", "https://mail.google.com/"],
    ["m.okafor@outlook.com", "https://outlook.live.com/"],
    ["m.okafor@hotmail.com", "https://outlook.live.com/"],
    ["m.okafor@hotmail.co.uk", "https://outlook.live.com/"],
    ["m.okafor@live.com", "https://outlook.live.com/"],
    ["m.okafor@msn.com", "https://outlook.live.com/"],
    ["m.okafor@yahoo.com", "https://mail.yahoo.com/"],
    ["m.okafor@icloud.com", "https://www.icloud.com/mail"],
    ["m.okafor@me.com", "https://www.icloud.com/mail"],
    ["m.okafor@mac.com", "https://www.icloud.com/mail"],
    ["m.okafor@aol.com", "https://mail.aol.com/"],
    ["m.okafor@proton.me", "https://mail.proton.me/"],
    ["m.okafor@protonmail.com", "https://mail.proton.me/"],
    ["m.okafor@gmx.de", "https://www.gmx.net/"],
    ["m.okafor@gmx.com", "https://www.gmx.com/"],
    ["m.okafor@web.de", "https://web.de/"],
    ["m.okafor@mail.com", "https://www.mail.com/"],
    ["m.okafor@zoho.com", "https://mail.zoho.com/"],
    ["m.okafor@yandex.com", "https://mail.yandex.com/"],
    ["m.okafor@qq.com", "https://mail.qq.com/"],
    ["m.okafor@163.com", "https://mail.163.com/"],
    ["m.okafor@126.com", "https://mail.126.com/"],
  ])("%s is read at %s", (email, address) => {
    expect(webMailOf(email)?.address).toBe(address);
  });

  it("ignores case and surrounding spaces of the address", () => {
    expect(webMailOf(" M.Okafor@GMail.COM ")?.name).toBe("Gmail");
    expect(webMailOf('"a@b"@gmail.com')?.name).toBe("Gmail");
  });

  it.each([
    "m.okafor@riverside.example",
    "m.okafor@gmail.com.riverside.example",
    "m.okafor@live.riverside.example",
    "m.okafor@notgmail.com",
    "gmail.com@riverside.example",
    "owner@telltale.local",
    "",
  ])("guesses nothing for '%s'", (email) => {
    expect(webMailOf(email)).toBeUndefined();
  });
});
