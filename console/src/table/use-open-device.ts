import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { detailOf, type Place } from "./device-place.ts";

/** Opens the device that a row is about: its own screen unless `placeOf` says otherwise. */
export const useOpenDevice = <Row extends { deviceId: number } = { deviceId: number }>(
  placeOf: (row: Row) => Place = detailOf,
) => {
  const navigate = useNavigate();
  return useCallback((row: Row) => void navigate(placeOf(row)), [navigate, placeOf]);
};
