import { resolve } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { BadConfig, mailSender, readConfig } from "./config.ts";
import { passwordPolicyOf, providerSettingsOf } from "./modules/accounts/single-sign-on/settings.rules.ts";

test("an empty environment is a demonstration on the usual ports", () => {
  expect(readConfig({})).toMatchObject({ PORT: 8080, MQTT_PORT: 1883, TELLTALE_DEMO: true, LOG_LEVEL: "info" });
});

test.each([
  ["24 months", 24],
  ["1 month", 1],
  ["5 years", 60],
])("READINGS_KEPT=%s are %i months", (READINGS_KEPT, months) => {
  expect(readConfig({ READINGS_KEPT }).READINGS_KEPT).toBe(months);
});

test("an empty variable counts as not set", () => {
  expect(readConfig({ PORT: "", DATABASE_URL: " ", TELLTALE_DEMO: "" })).toMatchObject({
    PORT: 8080,
    TELLTALE_DEMO: true,
  });
});

test("DATA_DIR is made absolute", () => {
  expect(readConfig({ DATA_DIR: "somewhere" }).DATA_DIR).toBe(resolve("somewhere"));
});

test.each([
  ["PORT", "eighty", "a port from 0 to 65535"],
  ["PORT", "65536", "a port from 0 to 65535"],
  ["PORT", "80.5", "a port from 0 to 65535"],
  ["MQTT_PORT", "-1", "a port from 0 to 65535"],
  ["DATABASE_URL", "mysql://host/db", "an address such as postgres://user:password@host/database"],
  ["PUBLIC_URL", "telltale.example", "an address such as https://telltale.example"],
  ["MAIL_URL", "http://mail", "an address such as smtp://user:password@host"],
  [
    "SMS_URL",
    "twilio://account:token@api.twilio.com",
    "an address such as twilio://ACCOUNT_SID:AUTH_TOKEN@api.twilio.com?from=+15551234567",
  ],
  ["SUPPORT_PHONE", "call us", "a phone number such as +1 555 123 4567"],
  ["SUPPORT_EMAIL", "support", "an address such as support@telltale.example"],
  ["STORE_IOS_URL", "http://apps.example", "an address such as https://apps.apple.com/…"],
  ["TELLTALE_DEMO", "yes", "1 or 0"],
  ["READINGS_KEPT", "24", "for how long readings are kept, such as 24 months or 5 years"],
  ["READINGS_KEPT", "200 years", "for how long readings are kept, such as 24 months or 5 years"],
  ["METRICS_TOKEN", "short", "a text of at least 16 characters"],
  ["PAYMENTS", "free", "sandbox, which gives away what is bought, or nothing"],
  ["LOG_LEVEL", "loud", "fatal, error, warn, info, debug, trace, silent"],
])("%s=%s is named in one line", (name, value, is) => {
  expect(() => readConfig({ [name]: value })).toThrow(new BadConfig(`${name} has to be ${is}`));
});

test("a certificate needs its key", () => {
  expect(() => readConfig({ TLS_CERT: "/cert.pem" })).toThrow(/^TLS_KEY has to be/);
  expect(() => readConfig({ TLS_KEY: "/key.pem" })).toThrow(/^TLS_CERT has to be/);
});

test("PayPal needs its credentials", () => {
  expect(() => readConfig({ PAYPAL_URL: "https://api-m.paypal.com" })).toThrow(/^PAYPAL_CLIENT_ID and PAYPAL_SECRET/);
});

test("the sandbox is not turned on beside PayPal", () => {
  expect(readConfig({ PAYMENTS: "sandbox" }).PAYMENTS).toBe("sandbox");
  expect(() => readConfig({ PAYMENTS: "sandbox", PAYPAL_CLIENT_ID: "id", PAYPAL_SECRET: "secret" })).toThrow(
    new BadConfig("PAYMENTS=sandbox takes no money: leave it out to be paid by PayPal"),
  );
});

test("the nodes of a cluster share a PostgreSQL; several addresses of NATS are read", () => {
  const DATABASE_URL = "postgres://telltale@host/telltale";
  expect(readConfig({ DATABASE_URL, NATS_URL: "nats://a:4222, tls://b:4222" }).NATS_URL).toEqual([
    "nats://a:4222",
    "tls://b:4222",
  ]);
  expect(() => readConfig({ NATS_URL: "nats://a:4222" })).toThrow(/^NATS_URL .* set DATABASE_URL too/);
  expect(() => readConfig({ DATABASE_URL, NATS_URL: "nats://a:4222,," })).toThrow(/^NATS_URL has to be one or several/);
});

test.each([
  ["NATS_URL", "nats://telltale:100%@host"],
  ["NATS_URL", "nats://host:4222, nats://tok%en@other:4222"],
  ["SMS_URL", "twilio://account:100%@api.twilio.com?from=+15551234567"],
  ["DATABASE_URL", "postgres://telltale:caf%E9@host/telltale"],
])("%s=%s, whose password cannot be decoded, is named with what to write", (name, value) => {
  const DATABASE_URL = "postgres://telltale@host/telltale";
  expect(() => readConfig({ DATABASE_URL, [name]: value })).toThrow(
    new BadConfig(
      `${name} has a % in its user or password that cannot be read: write %25 for a percent sign, and other characters as codes of UTF-8 (%C3%A9 for é)`,
    ),
  );
});

test("a percent sign is read where it is written as a code, and as it is by the drivers of PostgreSQL and SMTP", () => {
  const [DATABASE_URL, MAIL_URL] = ["postgres://telltale:100%@host/telltale", "smtp://100%:secret@host"];
  const NATS_URL = "nats://telltale:100%25@host:4222";
  const config = readConfig({ DATABASE_URL, MAIL_URL, NATS_URL });
  expect(config).toMatchObject({ DATABASE_URL, MAIL_URL, NATS_URL: [NATS_URL] });
  expect(new pg.Client({ connectionString: config.DATABASE_URL }).password).toBe("100%");
  expect(mailSender(config)).toBe("telltale@localhost");
});

test.each([
  [{ MAIL_URL: "smtp://host" }, "telltale@localhost"],
  [{ MAIL_URL: "smtp://host", PUBLIC_URL: "https://plant.example" }, "telltale@plant.example"],
  [{ MAIL_URL: "smtp://alerts%40plant.example:secret@host" }, "alerts@plant.example"],
  [{ MAIL_URL: "smtp://a%40b.example:secret@host", MAIL_FROM: "c@d.example" }, "c@d.example"],
])("with %j mail comes from %s", (environment, from) => {
  expect(mailSender(readConfig(environment))).toBe(from);
});

const provider = {
  ...{ OIDC_ISSUER: "https://login.example.com", OIDC_CLIENT_ID: "telltale", OIDC_SECRET: "secret" },
  ...{ PUBLIC_URL: "https://telltale.example", TELLTALE_DEMO: "0" },
};

test.each([
  [{ OIDC_ISSUER: "https://login.example.com" }, /^OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_SECRET have to be given/],
  [{ OIDC_ROLES: "admins=admin" }, /^OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_SECRET have to be given/],
  [{ ...provider, OIDC_ISSUER: "http://login.example.com" }, /^OIDC_ISSUER has to be the provider's address, by https/],
  [{ ...provider, OIDC_ROLES: "admins=root" }, /^OIDC_ROLES has to be groups with owner, admin, manager/],
  [{ ...provider, PUBLIC_URL: "" }, /set PUBLIC_URL beside OIDC_ISSUER$/],
  [{ PASSWORD_LOGIN: "0" }, /^PASSWORD_LOGIN=0 would let nobody sign in/],
  [{ ...provider, PASSWORD_LOGIN: "0", TELLTALE_DEMO: "1" }, /set TELLTALE_DEMO=0 too$/],
  [{ ...provider, PASSWORD_LOGIN_FOR: "owner@example.com" }, /set PASSWORD_LOGIN=0 too/],
])("single sign-on that is configured wrongly is named in one line: %j", (environment, message) => {
  expect(() => readConfig(environment)).toThrow(message);
});

test("single sign-on replaces passwords", () => {
  const config = readConfig({ ...provider, PASSWORD_LOGIN: "0", PASSWORD_LOGIN_FOR: "owner@example.com" });
  expect(providerSettingsOf(config)).toMatchObject({ name: "login.example.com", groupsClaim: "groups", roles: [] });
  expect(passwordPolicyOf(config)).toEqual({
    isOff: true,
    keptFor: "owner@example.com",
    instead: "login.example.com",
  });
});
