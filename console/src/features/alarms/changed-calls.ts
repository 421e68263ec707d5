import { alarms } from "@telltale/contract/domains/alarms";
import { users } from "@telltale/contract/domains/people/users";

/** Calls that are stale after a configured alert has changed. */
export const changedCalls = [alarms.list, alarms.systemList, alarms.info, alarms.names, users.list];
