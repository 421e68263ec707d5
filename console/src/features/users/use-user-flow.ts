import { alarms } from "@telltale/contract/alarms";
import type { Input, Result } from "@telltale/contract/call";
import type { CallError } from "@telltale/contract/client";
import { Code } from "@telltale/contract/codes";
import { Role } from "@telltale/contract/permissions";
import { type UserRow, users } from "@telltale/contract/users";
import { useState } from "react";
import { client } from "../../session/client.ts";
import { useOutdate } from "../../session/outdate.ts";
import { showFailure } from "../../session/query.ts";
import { useAction, useCall } from "../../session/use-call.ts";

/** The steps in their order. */
export const Step = { details: 0, assignment: 1 } as const;
export type Step = (typeof Step)[keyof typeof Step];

/** Means none on the wire: the plant's default. (spec 2 §6) */
export const noDashboard = -1;

/** Who the user is, as it was typed. */
export type Details = Input<typeof users.add>;

export interface UserFlow {
  step: Step;
  goTo: (step: Step) => void;
  /** The user that is edited, as last read; absent while one is added. */
  edited: UserRow | undefined;
  details: Details | undefined;
  saveDetails: (details: Details) => void;
  /** What is wrong with the e-mail address, says the server. */
  complaint: string | undefined;
  clearComplaint: () => void;
  /** The user type that is chosen. */
  type: number | undefined;
  saveType: (type: number) => void;
  /** The dashboard that is chosen; `noDashboard` for the plant's default. */
  dashboardId: number;
  setDashboardId: (dashboardId: number) => void;
  /** The plant's alerts to assign; undefined while they load. */
  alarms: Result<typeof alarms.names> | undefined;
  /** Those that are chosen. */
  alarmIds: readonly number[];
  setAlarmIds: (alarmIds: readonly number[]) => void;
  confirm: () => void;
  isBusy: boolean;
}

/** The user once more, as the server has it now. */
const readAgain = async ({ accountId, userEmail }: UserRow): Promise<UserRow | undefined> => {
  const { data } = await client(users.list, { userEmail, size: 200 });
  return data.find((user) => user.accountId === accountId);
};

/** Saves an edit. What somebody else has changed meanwhile is read again; what was chosen here stays chosen. */
const useEdit = (subject: UserRow | undefined, onClose: () => void) => {
  const outdate = useOutdate();
  const [edited, setEdited] = useState(subject);
  const action = useAction(users.edit, { success: "Modify successful", invalidates: [users.list], onDone: onClose });
  const reload = async () => {
    if (!edited) return;
    // What was assigned may be what is gone.
    outdate([users.list, alarms.names]);
    const found = await readAgain(edited);
    if (found) setEdited(found);
    else onClose();
  };
  return {
    edited,
    isBusy: action.isPending,
    save: ({ type, ...assigned }: { type: number | undefined; dashboardId: number; alarmIds: number[] }) => {
      if (!edited) return;
      const { accountId, version } = edited;
      const input = { accountId, version, ...assigned, ...(type && { type }) };
      action.mutate(input, {
        onError: ({ code }) => {
          if (code === Code.conflict || code === Code.notFound) void reload().catch(showFailure);
        },
      });
    },
  };
};

/** The alerts that are chosen, of those that there are. */
const useAlarms = (edited: UserRow | undefined) => {
  const { data } = useCall(alarms.names, {});
  const [chosen, setAlarmIds] = useState<readonly number[]>();
  const asked = chosen ?? edited?.alarmIds ?? [];
  const alarmIds = data ? asked.filter((id) => data.some(({ alarmId }) => alarmId === id)) : [...asked];
  return { alarms: data, alarmIds, setAlarmIds };
};

/** Where adding or editing a user stands. Editing begins with what is assigned. (spec 2 §2) */
export const useUserFlow = (subject: UserRow | undefined, onClose: () => void): UserFlow => {
  const [step, goTo] = useState<Step>(subject ? Step.assignment : Step.details);
  const [details, setDetails] = useState<Details>();
  const [complaint, setComplaint] = useState<string>();
  const [chosenType, setType] = useState<number>();
  const [chosenDashboard, setDashboardId] = useState<number>();
  const { edited, save, isBusy } = useEdit(subject, onClose);
  const assigned = useAlarms(edited);
  const add = useAction(users.add, {
    success: "Add success",
    invalidates: [users.list],
    onDone: onClose,
    isQuiet: true,
  });
  const type = chosenType ?? edited?.roleType;
  const dashboardId = chosenDashboard ?? edited?.dashboardId ?? noDashboard;

  const refuse = (error: CallError) => {
    if (error.code !== Code.conflict) return showFailure(error);
    setComplaint(error.message);
    goTo(Step.details);
  };
  const next = (chosen: number) => {
    setType(chosen);
    goTo(Step.assignment);
  };
  return {
    ...{ step, goTo, edited, details, complaint, type, saveType: next, dashboardId, setDashboardId },
    ...assigned,
    saveDetails: (typed) => {
      setDetails(typed);
      next(typed.type);
    },
    clearComplaint: () => setComplaint(undefined),
    confirm: () => {
      const { alarmIds } = assigned;
      const given = { dashboardId: type === Role.viewer ? dashboardId : noDashboard, alarmIds };
      if (edited) save({ type, ...given });
      else if (details) add.mutate({ ...details, ...given }, { onError: refuse });
    },
    isBusy: isBusy || add.isPending,
  };
};
