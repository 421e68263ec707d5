import { avatarSize, notAPhoto, profile } from "@telltale/contract/domains/people/profile";
import { type Crop, edgeOf } from "./crop.ts";

/** File types that the file dialog offers. */
export const pictureTypes = ["image/jpeg", "image/png"];

/** An opened picture, or the error. */
type Opened = { picture: ImageBitmap; validationError?: never } | { picture?: never; validationError: string };

/** Opens a file that the call will accept: JPG or PNG, at most 1 MB. Applies the camera's orientation. (spec 2 §5) */
export const openPicture = async (file: File): Promise<Opened> => {
  if (!pictureTypes.includes(file.type)) return { validationError: notAPhoto };
  const checked = profile.upload.body?.safeParse({ file });
  if (checked?.success === false) return { validationError: checked.error.issues[0]?.message ?? notAPhoto };
  try {
    return { picture: await createImageBitmap(file) };
  } catch {
    return { validationError: notAPhoto };
  }
};

/** Draws the cropped picture onto a square canvas. */
export const drawCrop = (canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop): void => {
  const context = canvas.getContext("2d");
  if (!context) return;
  const edge = edgeOf(picture, crop);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, crop.x - edge / 2, crop.y - edge / 2, edge, edge, 0, 0, canvas.width, canvas.height);
};

/** The crop as the file to upload, in the stored size. */
export const croppedFile = (picture: ImageBitmap, crop: Crop): Promise<Blob | null> => {
  const canvas = document.createElement("canvas");
  canvas.width = avatarSize;
  canvas.height = avatarSize;
  drawCrop(canvas, picture, crop);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
};
