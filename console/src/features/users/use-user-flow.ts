import type { Input, Result } from "@telltale/contract/call/call";
import type { CallError } from "@telltale/contract/call/client";
import { Code } from "@telltale/contract/call/codes";
import { alarms } from "@telltale/contract/domains/alarms";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { type UserRow, users } from "@telltale/contract/domains/people/users";
import { Role, roleNames } from "@telltale/contract/permissions";
import { type ReactNode, useState } from "react";
import { useMergedSave } from "../../form/use-merged-save.tsx";
import { client } from "../../session/client.ts";
import { showFailure } from "../../session/query.ts";
import { useAction, useCall } from "../../session/use-call.ts";

/** The steps in order. */
export const Step = { details: 0, assignment: 1 } as const;
export type Step = (typeof Step)[keyof typeof Step];

/** Means none on the wire: the plant's default. (spec 2 §6) */
export const noDashboard = -1;

/** The user's details, as typed. */
export type Details = Input<typeof users.add>;

/** Name and number of the user being edited. */
type Person = Pick<Details, "firstName" | "lastName" | "cellNumber">;

export interface UserFlow {
  step: Step;
  goTo: (step: Step) => void;
  /** The user being edited, as loaded at the opening; absent when adding. */
  edited: UserRow | undefined;
  details: Details | undefined;
  saveDetails: (details: Details) => void;
  /** The server's error for the e-mail address. */
  validationError: string | undefined;
  clearError: () => void;
  /** Name and number of the user being edited, as typed. */
  person: Person;
  saveEdited: (person: Person, type: Role) => void;
  /** The selected user type. */
  type: Role | undefined;
  /** The selected dashboard; `noDashboard` for the plant's default. */
  dashboardId: number;
  setDashboardId: (dashboardId: number) => void;
  /** The plant's alerts to assign; undefined while they load. */
  alarms: Result<typeof alarms.names> | undefined;
  /** The selected alerts. */
  alarmIds: readonly number[];
  setAlarmIds: (alarmIds: readonly number[]) => void;
  confirm: () => void;
  /** The dialog that resolves conflicts with another user's changes. */
  review: ReactNode;
  isBusy: boolean;
}

/** Reads the user's current state from the server. */
const readCurrent = async ({ accountId, userEmail }: UserRow): Promise<UserRow | undefined> => {
  const { data } = await client(users.list, { userEmail, size: 200 });
  return data.find((user) => user.accountId === accountId);
};

/** The fields of an edit. */
type Edited = Person & { type: Role } & Required<Pick<Input<typeof users.edit>, "dashboardId" | "alarmIds">>;

const personOf = (user: UserRow | undefined): Person => {
  const { firstName = "", lastName = "", cellNumber = "" } = user ?? {};
  return { firstName, lastName, cellNumber };
};

/** What of name and number was changed: the rest may be the user's own by now, who alone can change it. */
const changedPerson = ({ firstName, lastName, cellNumber }: Person, before: Person): Partial<Person> => ({
  ...(firstName !== before.firstName && { firstName }),
  ...(lastName !== before.lastName && { lastName }),
  ...(cellNumber !== before.cellNumber && { cellNumber }),
});

/** Saves an edit; on a conflict the other user's changes are shown beside the form's. */
const useEdit = (edited: UserRow | undefined, names: Names, onClose: () => void) => {
  const action = useAction(users.edit, { success: "Modify successful", invalidates: [users.list], onDone: onClose });
  const { save, dialog } = useMergedSave<Edited, UserRow>({
    opened: edited,
    fieldsOf: (user) => ({
      ...personOf(user),
      type: user.roleType,
      dashboardId: user.roleType === Role.viewer ? (user.dashboardId ?? noDashboard) : noDashboard,
      alarmIds: user.alarmIds,
    }),
    groups: [
      {
        label: "Name",
        keys: ["firstName", "lastName"],
        text: ({ firstName, lastName }) => `${firstName} ${lastName}`,
      },
      { label: "Phone", keys: ["cellNumber"], text: ({ cellNumber }) => cellNumber },
      {
        label: "Type and dashboard",
        keys: ["type", "dashboardId"],
        text: ({ type, dashboardId }) =>
          type === Role.viewer ? `${roleNames[type]}, ${names.dashboardOf(dashboardId)}` : roleNames[type],
      },
      { label: "Alerts", keys: ["alarmIds"], text: ({ alarmIds }) => names.alarmsOf(alarmIds) },
    ],
    read: async () => edited && readCurrent(edited),
    // An assigned alert may have been deleted.
    invalidates: [users.list, alarms.names],
    send: ({ type, dashboardId, alarmIds, ...person }, version, onError) => {
      if (!edited) return;
      const { accountId } = edited;
      const given = { ...changedPerson(person, edited), dashboardId, alarmIds };
      // An owner stays one unless another type is chosen: nobody is made an owner here.
      const chosen = type !== Role.owner && { type };
      action.mutate({ accountId, ...given, ...chosen, ...(version !== undefined && { version }) }, { onError });
    },
    isBusy: action.isPending,
    onGone: onClose,
  });
  return { save, review: dialog, isBusy: action.isPending };
};

/** Names of the assigned items, for the review. */
interface Names {
  dashboardOf: (dashboardId: number) => string;
  alarmsOf: (alarmIds: readonly number[]) => string;
}

const useNames = (isNeeded: boolean, known: Result<typeof alarms.names> | undefined): Names => {
  const { data = [] } = useCall(dashboards.names, {}, { enabled: isNeeded });
  return {
    dashboardOf: (id) =>
      id === noDashboard
        ? "Default dashboard"
        : (data.find(({ dashboardId }) => dashboardId === id)?.name ?? `No. ${id}`),
    alarmsOf: (ids) =>
      ids.map((id) => known?.find(({ alarmId }) => alarmId === id)?.alarmName ?? `No. ${id}`).join(", "),
  };
};

/** The selected alerts, limited to those that exist. */
const useAlarms = (edited: UserRow | undefined) => {
  const { data } = useCall(alarms.names, {});
  const [chosen, setAlarmIds] = useState<readonly number[]>();
  const requested = chosen ?? edited?.alarmIds ?? [];
  const alarmIds = data ? requested.filter((id) => data.some(({ alarmId }) => alarmId === id)) : [...requested];
  return { alarms: data, alarmIds, setAlarmIds };
};

/** State of adding or editing a user. Editing starts with the current assignment. (spec 2 §2) */
export const useUserFlow = (subject: UserRow | undefined, onClose: () => void): UserFlow => {
  const [step, goTo] = useState<Step>(subject ? Step.assignment : Step.details);
  const [details, setDetails] = useState<Details>();
  const [validationError, setError] = useState<string>();
  const [person, setPerson] = useState(() => personOf(subject));
  const [chosenType, setType] = useState<Role>();
  const [chosenDashboard, setDashboardId] = useState<number>();
  const edited = subject;
  const assigned = useAlarms(edited);
  const names = useNames(edited !== undefined && (chosenType ?? edited.roleType) === Role.viewer, assigned.alarms);
  const { save, review, isBusy } = useEdit(edited, names, onClose);
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
    setError(error.message);
    goTo(Step.details);
  };
  const next = (chosen: Role) => {
    setType(chosen);
    goTo(Step.assignment);
  };
  return {
    ...{ step, goTo, edited, details, validationError, type, dashboardId, setDashboardId, person },
    ...assigned,
    saveEdited: (typed, chosen) => {
      setPerson(typed);
      next(chosen);
    },
    saveDetails: (typed) => {
      setDetails(typed);
      next(typed.type);
    },
    clearError: () => setError(undefined),
    confirm: () => {
      const { alarmIds } = assigned;
      const given = { dashboardId: type === Role.viewer ? dashboardId : noDashboard, alarmIds };
      if (edited) save({ ...person, type: type ?? edited.roleType, ...given });
      else if (details) add.mutate({ ...details, ...given }, { onError: refuse });
    },
    review,
    isBusy: isBusy || add.isPending,
  };
};
