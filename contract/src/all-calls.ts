import type { Calls } from "./call/call.ts";
import { alarms } from "./domains/alarms.ts";
import { alertEntries } from "./domains/alerting/entries.ts";
import { plans, rosters } from "./domains/alerting/escalation.ts";
import { alertLinks } from "./domains/alerting/links.ts";
import { alertReports } from "./domains/alerting/report.ts";
import { silences } from "./domains/alerting/silences.ts";
import { silentNow } from "./domains/alerting/silent-now.ts";
import { alarmTrial } from "./domains/alerting/trial.ts";
import { webhooks } from "./domains/alerting/webhooks.ts";
import { alerts } from "./domains/alerts.ts";
import { audit } from "./domains/audit.ts";
import { orders, paypal, sandbox, sms } from "./domains/billing.ts";
import { channelSettings } from "./domains/channel-settings.ts";
import { channels } from "./domains/channels.ts";
import { dashboards } from "./domains/dashboard/dashboards.ts";
import { tileOffers } from "./domains/dashboard/tile-offers.ts";
import { deviceConfiguration } from "./domains/device-configuration.ts";
import { devices } from "./domains/devices.ts";
import { firmware } from "./domains/firmware.ts";
import { labels } from "./domains/fleet/labels.ts";
import { provisioning } from "./domains/fleet/provisioning.ts";
import { joint } from "./domains/joint.ts";
import { modbus } from "./domains/modbus.ts";
import { accounts } from "./domains/people/accounts.ts";
import { apiKeys } from "./domains/people/api-keys.ts";
import { contacts } from "./domains/people/contacts.ts";
import { keyboard, personal } from "./domains/people/personal.ts";
import { profile } from "./domains/people/profile.ts";
import { push } from "./domains/people/push.ts";
import { passwords, registration } from "./domains/people/registration.ts";
import { secondFactor, signIns } from "./domains/people/sign-ins.ts";
import { singleSignOn } from "./domains/people/single-sign-on.ts";
import { site } from "./domains/people/site.ts";
import { users } from "./domains/people/users.ts";
import { bridges } from "./domains/readings/bridges.ts";
import { downloads } from "./domains/readings/downloads.ts";
import { history } from "./domains/readings/history.ts";
import { imports } from "./domains/readings/imports.ts";
import { rewind } from "./domains/readings/rewind.ts";
import { storage } from "./domains/readings/storage.ts";
import { trends } from "./domains/readings/trends.ts";
import { outbox, support } from "./domains/support.ts";

/** All calls of the contract by domain, for the API documentation and for tests that iterate over them. */
export const allCalls = {
  accounts,
  alarms,
  alarmTrial,
  alertReports,
  alertEntries,
  alertLinks,
  alerts,
  apiKeys,
  audit,
  bridges,
  channelSettings,
  channels,
  contacts,
  dashboards,
  deviceConfiguration,
  devices,
  downloads,
  firmware,
  history,
  imports,
  joint,
  keyboard,
  labels,
  modbus,
  orders,
  passwords,
  paypal,
  personal,
  profile,
  provisioning,
  push,
  registration,
  rewind,
  rosters,
  sandbox,
  secondFactor,
  signIns,
  plans,
  silences,
  silentNow,
  singleSignOn,
  outbox,
  site,
  sms,
  storage,
  support,
  tileOffers,
  trends,
  users,
  webhooks,
} satisfies Record<string, Calls>;
