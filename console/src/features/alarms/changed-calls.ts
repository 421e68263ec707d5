import { alarms } from "@telltale/contract/domains/alarms";
import { users } from "@telltale/contract/domains/people/users";

/** Whatever shows configured alerts is out of date after a change of one. */
export const changedCalls = [alarms.list, alarms.systemList, alarms.info, alarms.names, users.list];
