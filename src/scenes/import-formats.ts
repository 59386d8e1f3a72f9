import { importBoxes } from './import-boxes.ts';
import { importFront3D } from './import-front3d.ts';
import { importGlb } from './import-glb.ts';
import { importHolodeck } from './import-holodeck.ts';
import { importIDesign } from './import-idesign.ts';
import { importLayoutGpt } from './import-layoutgpt.ts';
import { importLayoutVlm } from './import-layoutvlm.ts';
import { importPhyScene } from './import-physcene.ts';
import { importProcThor } from './import-procthor.ts';
import { importReason3D } from './import-reason3d.ts';
import { importSceneEval } from './import-sceneeval.ts';
import { importSceneSmith } from './import-scenesmith.ts';
import { importSceneWeaver } from './import-sceneweaver.ts';
import { importSceneWeaverPlan } from './import-sceneweaver-plan.ts';
import { importSdf } from './import-sdf.ts';
import { importSpatialLm } from './import-spatiallm.ts';
import type { Importer } from './importer.ts';

/** Every importer, in the order in which `auto` asks them (of two equally sure, the first takes the file). */
export const IMPORTERS: readonly Importer[] = [
  importSceneEval,
  importHolodeck,
  importProcThor,
  importLayoutVlm,
  importIDesign,
  importReason3D,
  importSceneWeaver,
  importSceneWeaverPlan,
  importPhyScene,
  importBoxes,
  importLayoutGpt,
  importSceneSmith,
  importSdf,
  importFront3D,
  importSpatialLm,
  importGlb,
];

/** Names of the formats, as the command line takes them (besides `auto`). */
export const IMPORT_FORMATS: readonly string[] = IMPORTERS.map(({ format }) => format);
