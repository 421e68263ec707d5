import { IconAddressBook, IconCalendarWeek, IconMail, IconUsers, IconWebhook } from "@tabler/icons-react";
import { TargetKind } from "@telltale/contract/domains/alerting/escalation";

const icons = {
  [TargetKind.managers]: IconUsers,
  [TargetKind.account]: IconMail,
  [TargetKind.contact]: IconAddressBook,
  [TargetKind.roster]: IconCalendarWeek,
  [TargetKind.webhook]: IconWebhook,
};

/** Headings of the kinds of targets in the menu that adds one. */
export const kindLabels: Record<TargetKind, string> = {
  [TargetKind.managers]: "Users",
  [TargetKind.account]: "Users",
  [TargetKind.contact]: "Contacts",
  [TargetKind.roster]: "Rosters",
  [TargetKind.webhook]: "Webhooks",
};

/** What kind of target it is: people of the plant are notified by mail. */
export const TargetIcon = ({ kind }: { kind: TargetKind }) => {
  const KindIcon = icons[kind];
  return <KindIcon size={15} aria-hidden />;
};
