import { Button } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSession } from "../session/session.ts";

/** Link to the joint controls, for accounts that may open them. */
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
