import { Drawer } from "@mantine/core";
import type { Input } from "@telltale/contract/call/call";
import { analogLabels } from "@telltale/contract/domains/channels";
import { type DashboardGroup, dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { type ReactNode, useEffect, useId, useState } from "react";
import type { MergeGroup } from "../../../form/merge.ts";
import { useMergedSave } from "../../../form/use-merged-save.tsx";
import { useSession } from "../../../session/session.ts";
import { useAction, useRead } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { useGuardedClose } from "../../../ui/dialog/use-guarded-close.tsx";
import { useTopmost } from "../../../ui/dialog/use-topmost.ts";
import { groupCalls } from "./changed-calls.ts";
import { GroupForm } from "./group-form.tsx";
import { GroupList } from "./group-list.tsx";
import classes from "./side-drawer.module.css";
import { useRemoveGroup } from "./use-remove.tsx";

interface SideDrawerProps {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  /** The actions, right-aligned, with Cancel before the action. */
  footer?: ReactNode;
  children: ReactNode;
}

/** A drawer from the right, below the bar; on a phone it takes the whole width. Escape closes it. */
const SideDrawer = ({ isOpen, onClose, title, footer, children }: SideDrawerProps): ReactNode => {
  const guarded = useGuardedClose(isOpen, onClose, footer);
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={guarded.close}
      closeOnEscape={useTopmost(isOpen, guarded.close)}
      position="right"
      size={460}
      zIndex={200}
    >
      <Drawer.Overlay className={classes.overlay} />
      <Drawer.Content classNames={{ inner: classes.inner, content: classes.drawer }} onFocus={guarded.onFocus}>
        <div className={classes.head}>
          <Drawer.Title className={classes.title}>{title}</Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </div>
        <Drawer.Body className={classes.body}>{children}</Drawer.Body>
        {guarded.footer && <div className={classes.footer}>{guarded.footer}</div>}
      </Drawer.Content>
    </Drawer.Root>
  );
};

/** Content of the drawer: the list, or the form of an existing or new group. */
type Shown = "list" | "new" | DashboardGroup;

type Fields = Input<typeof dashboards.editGroup>;

const fieldsOf = ({ groupName, icon, deviceId, deviceChannelIds }: DashboardGroup): Fields => ({
  groupName,
  icon,
  deviceId,
  deviceChannelIds,
});

const groups: MergeGroup<Fields, DashboardGroup>[] = [
  { label: "Group name", keys: ["groupName"], text: ({ groupName }) => groupName },
  { label: "Icon", keys: ["icon"], text: ({ icon }) => analogLabels[icon] },
  {
    label: "Channels",
    keys: ["deviceId", "deviceChannelIds"],
    isOrdered: true,
    text: ({ deviceChannelIds }, row) =>
      `${deviceChannelIds.length} channels${row ? ` of ${row.deviceName}` : ", as chosen in the form"}`,
  },
];

/** Saves a group; on a conflict the other user's changes are shown beside the form's. */
const useSaveGroup = (edited: DashboardGroup | undefined, onDone: () => void) => {
  const action = useAction(dashboards.editGroup, {
    success: edited ? "Modify successful" : "Add success",
    invalidates: groupCalls,
    onDone,
  });
  const id = edited && { dashboardGroupId: edited.dashboardGroupId };
  const read = useRead(dashboards.group);
  const { save, dialog } = useMergedSave<Fields, DashboardGroup>({
    opened: edited,
    fieldsOf,
    groups,
    read: async () => id && read(id),
    invalidates: [dashboards.groups],
    send: (fields, version, onError) =>
      action.mutate({ ...fields, ...id, ...(version !== undefined && { version }) }, { onError }),
    isBusy: action.isPending,
  });
  return { save, review: dialog, isBusy: action.isPending };
};

interface EditorProps {
  edited: DashboardGroup | undefined;
  formId: string;
  onBusy: (isBusy: boolean) => void;
  onDone: () => void;
}

/** The form of one group; reset when another group is opened. */
const GroupEditor = ({ edited, formId, onBusy, onDone }: EditorProps): ReactNode => {
  const { save, review, isBusy } = useSaveGroup(edited, onDone);
  useEffect(() => onBusy(isBusy), [onBusy, isBusy]);
  return (
    <>
      <GroupForm initial={edited} formId={formId} onSave={save} />
      {review}
    </>
  );
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
  const [isBusy, setBusy] = useState(false);
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
            <GroupEditor edited={shown === "new" ? undefined : shown} formId={formId} onBusy={setBusy} onDone={back} />
          )}
        </SideDrawer>
        {removing.dialog}
      </>
    ),
  };
};
