import type { WebGLRenderer } from 'three';
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js';
import { DRACOLoader } from 'three/examples/jsm/loaders/DRACOLoader.js';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { KTX2Loader } from 'three/examples/jsm/loaders/KTX2Loader.js';

let loader: GLTFLoader | undefined;

/** The one glTF loader of the page, with decoders for Draco, meshopt and KTX2; the bundler finds the decoders' files. */
export function gltfLoader(renderer: WebGLRenderer): GLTFLoader {
  loader ??= new GLTFLoader()
    .setDRACOLoader(new DRACOLoader())
    .setKTX2Loader(new KTX2Loader().detectSupport(renderer))
    .setMeshoptDecoder(MeshoptDecoder);
  return loader;
}
