import { alarms } from "@telltale/contract/alarms";
import { users } from "@telltale/contract/users";

/** Whatever shows configured alerts is out of date after a change of one. */
export const changedCalls = [alarms.list, alarms.systemList, alarms.info, alarms.names, users.list];
