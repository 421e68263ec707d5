import { Button } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSession } from "../session/session.ts";

/** Leads whoever has it to what drives outputs while an alert is open. */
export const JointLink = (): ReactNode =>
  useSession().can("joint.read") && (
    <Button
      component={Link}
      to="/joint"
      variant="default"
      size="xs"
      leftSection={<IconPlugConnected size={16} aria-hidden />}
    >
      Joint control
    </Button>
  );
