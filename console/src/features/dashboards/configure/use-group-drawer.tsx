import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Code } from "@telltale/contract/codes";
import { type DashboardGroup, dashboards } from "@telltale/contract/dashboards";
import { type ReactNode, useId, useState } from "react";
import { useSession } from "../../../session/session.ts";
import { callQuery, useAction } from "../../../session/use-call.ts";
import { SideDrawer } from "../../../ui/side-drawer.tsx";
import { groupCalls } from "./changed-calls.ts";
import { GroupForm } from "./group-form.tsx";
import { GroupList } from "./group-list.tsx";
import { useRemoveGroup } from "./use-remove.tsx";

/** What the drawer shows: the list, or the form of a group or of a new one. */
type Shown = "list" | "new" | DashboardGroup;

/** Saves a group. When somebody else was faster, what was chosen stays, and a second 'Save' goes on top of theirs. */
const useSaveGroup = (shown: Shown, onDone: () => void) => {
  const queries = useQueryClient();
  const [newer, setNewer] = useState<{ of: Shown; version: number }>();
  const edited = typeof shown === "string" ? undefined : shown;
  const action = useAction(dashboards.editGroup, {
    success: edited ? "Modify successful" : "Add success",
    invalidates: groupCalls,
    onDone,
  });
  const save = (fields: Parameters<typeof action.mutate>[0]) => {
    if (!edited) return action.mutate(fields);
    const { dashboardGroupId } = edited;
    const version = newer?.of === shown ? newer.version : edited.version;
    const onError = async ({ code }: { code: number }) => {
      if (code !== Code.conflict) return;
      const query = { ...callQuery(dashboards.group, { dashboardGroupId }), staleTime: 0 };
      setNewer({ of: shown, version: (await queries.fetchQuery(query)).version });
    };
    return action.mutate({ ...fields, dashboardGroupId, version }, { onError });
  };
  return { save, isBusy: action.isPending };
};

const titleOf = (shown: Shown): string => {
  if (shown === "list") return "Channel groups";
  return shown === "new" ? "Add channel group" : "Edit channel group";
};

/** The drawer with the groups of motor controllers' channels, to add, change and delete. (spec 2 §2) */
export const useGroupDrawer = (): { open: () => void; drawer: ReactNode } => {
  const formId = useId();
  const isEditor = useSession().can("dashboards.write");
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<Shown>("list");
  const removing = useRemoveGroup();
  const back = () => setShown("list");
  const { save, isBusy } = useSaveGroup(shown, back);
  const footer =
    shown === "list" ? (
      isEditor && <Button onClick={() => setShown("new")}>Add group</Button>
    ) : (
      <>
        <Button variant="default" onClick={back}>
          Cancel
        </Button>
        <Button type="submit" form={formId} loading={isBusy}>
          Save
        </Button>
      </>
    );
  return {
    open: () => {
      back();
      setOpen(true);
    },
    drawer: (
      <>
        <SideDrawer isOpen={isOpen} onClose={() => setOpen(false)} title={titleOf(shown)} footer={footer}>
          {shown === "list" ? (
            <GroupList onEdit={isEditor ? setShown : undefined} onRemove={removing.ask} />
          ) : (
            <GroupForm initial={shown === "new" ? undefined : shown} formId={formId} onSave={save} />
          )}
        </SideDrawer>
        {removing.dialog}
      </>
    ),
  };
};
