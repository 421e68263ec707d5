import { accounts } from "./accounts.ts";
import { alarms } from "./alarms.ts";
import { alerts } from "./alerts.ts";
import { audit } from "./audit.ts";
import type { Calls } from "./call.ts";
import { channelSettings } from "./channel-settings.ts";
import { channels } from "./channels.ts";
import { contacts } from "./contacts.ts";
import { dashboards } from "./dashboards.ts";
import { deviceConfiguration } from "./device-configuration.ts";
import { devices } from "./devices.ts";
import { downloads } from "./downloads.ts";
import { firmware } from "./firmware.ts";
import { history } from "./history.ts";
import { joint } from "./joint.ts";
import { keyboard } from "./keyboard.ts";
import { modbus } from "./modbus.ts";
import { orders } from "./orders.ts";
import { passwords } from "./passwords.ts";
import { paypal } from "./paypal.ts";
import { personal } from "./personal.ts";
import { profile } from "./profile.ts";
import { registration } from "./registration.ts";
import { sandbox } from "./sandbox.ts";
import { secondFactor } from "./second-factor.ts";
import { signIns } from "./sign-ins.ts";
import { site } from "./site.ts";
import { sms } from "./sms.ts";
import { support } from "./support.ts";
import { users } from "./users.ts";

/** Every call of the contract by domain: for the API documentation and for tests that go through all of them. */
export const allCalls = {
  accounts,
  alarms,
  alerts,
  audit,
  channelSettings,
  channels,
  contacts,
  dashboards,
  deviceConfiguration,
  devices,
  downloads,
  firmware,
  history,
  joint,
  keyboard,
  modbus,
  orders,
  passwords,
  paypal,
  personal,
  profile,
  registration,
  sandbox,
  secondFactor,
  signIns,
  site,
  sms,
  support,
  users,
} satisfies Record<string, Calls>;
