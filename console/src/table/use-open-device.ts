import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";

/** Opens the device that a row is about. */
export const useOpenDevice = () => {
  const navigate = useNavigate();
  return useCallback(
    ({ deviceId }: { deviceId: number }) => void navigate({ to: "/devicesDetail", search: { deviceId } as never }),
    [navigate],
  );
};
