import {
  BufferAttribute,
  BufferGeometry,
  Data3DTexture,
  DataTexture,
  DepthTexture,
  FloatType,
  GLSL3,
  HalfFloatType,
  LessEqualCompare,
  LinearFilter,
  LinearMipmapLinearFilter,
  LinearSRGBColorSpace,
  type Material,
  Matrix4,
  Mesh,
  NearestFilter,
  NoBlending,
  OrthographicCamera,
  PlaneGeometry,
  RepeatWrapping,
  RGBAFormat,
  Scene,
  ShaderMaterial,
  SRGBColorSpace,
  type Texture,
  TextureLoader,
  Camera as ThreeCamera,
  UnsignedByteType,
  UnsignedIntType,
  Vector3,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import type { Camera } from '../../../../src/rendering/framing.ts';
import { ROUGH_TILE, SHARP_TILE } from '../../../../src/rendering/light/reflections.ts';
import { FineLight } from '../../../../src/rendering/page/fine-light.ts';
import { MaterialKit } from '../../../../src/rendering/page/materials.ts';
import type { LightHeader } from '../../../../src/rendering/page/protocol.ts';
import { DEVELOP_FRAGMENT, SCREEN_VERTEX, SUN_POINTS, SUN_TILES } from '../../../../src/rendering/page/shaders.ts';
import type { Surface } from '../../../../src/rendering/page/surface.ts';
import { FINAL_SIZE, type JobHeader, unpackJob } from './job.ts';

/** Side of one tile of the sun's shadow atlas, pixels; the audit's are larger, its pictures too. */
const SHADOW_TILE = 160;
const SHADOW_SIDE = SHADOW_TILE * SUN_TILES;

// three makes its own canvas.
const renderer = new WebGLRenderer({ antialias: false, alpha: true, depth: false });
renderer.debug.checkShaderErrors = false;
renderer.autoClear = false;
renderer.outputColorSpace = LinearSRGBColorSpace;

const uniforms = {
  // Training pictures are drawn with quick light, which leaves these at nothing.
  ...new FineLight().uniforms,
  sharpSky: { value: null as Texture | null },
  roughSky: { value: null as Texture | null },
  volume: { value: null as Data3DTexture | null },
  volumeOrigin: { value: new Vector3() },
  volumeCells: { value: new Vector3() },
  volumeCell: { value: 1 },
  volumeScale: { value: 1 },
  sunlit: { value: false },
  sunDirection: { value: new Vector3(0, 1, 0) },
  sunIrradiance: { value: new Vector3() },
  sunShear: { value: 0 },
  sunMatrix: { value: new Matrix4() },
  sunTexel: { value: 0 },
  sunShadow: { value: null as Texture | null },
};
const kit = new MaterialKit(uniforms);
const PAINT: Surface = {
  map: null,
  normalMap: null,
  normalScale: [1, 1],
  surfaceMap: null,
  emissionMap: null,
  emission: [0, 0, 0],
  alphaTest: 0,
  blended: false,
};
const plain = kit.surface(PAINT, 'front');
const depth = kit.depth(PAINT, 'front');
/** One material for each floor texture, made when first met. */
const floors = new Map<string, ShaderMaterial>();
const identity = new ShaderMaterial({
  glslVersion: GLSL3,
  blending: NoBlending,
  vertexShader: `in float id; flat out float vId; void main() { vId = id; gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0); }`,
  fragmentShader: `precision highp float; flat in float vId; out vec4 colour; void main() { colour = vec4(vId / 255.0, 0.0, 0.0, 1.0); }`,
});

const target = (size: number, options: object): WebGLRenderTarget =>
  new WebGLRenderTarget(size, size, {
    generateMipmaps: false,
    minFilter: NearestFilter,
    magFilter: NearestFilter,
    ...options,
  });
const linear = new Map<number, WebGLRenderTarget>();
const developed = new Map<number, WebGLRenderTarget>();
const ids = target(FINAL_SIZE, { type: UnsignedByteType });
const shadow = target(SHADOW_SIDE, { type: UnsignedByteType });
shadow.depthTexture = new DepthTexture(SHADOW_SIDE, SHADOW_SIDE, UnsignedIntType);
shadow.depthTexture.compareFunction = LessEqualCompare;
shadow.depthTexture.minFilter = LinearFilter;
shadow.depthTexture.magFilter = LinearFilter;
uniforms.sunShadow.value = shadow.depthTexture;
// A shadow sampler needs a depth texture behind it even while no map has a sun.
renderer.setRenderTarget(shadow);
renderer.clear();

const develop = new ShaderMaterial({
  glslVersion: GLSL3,
  blending: NoBlending,
  depthTest: false,
  depthWrite: false,
  uniforms: { linear: { value: null as Texture | null }, exposure: { value: 1 } },
  vertexShader: SCREEN_VERTEX,
  fragmentShader: DEVELOP_FRAGMENT,
});
const screen = new Scene();
const screenMesh = new Mesh(new PlaneGeometry(2, 2), develop);
screenMesh.frustumCulled = false;
screen.add(screenMesh);
const flat = new ThreeCamera();

interface PageLight {
  readonly sun: LightHeader['sun'];
  readonly sharp: DataTexture;
  readonly rough: Data3DTexture;
}
const lights = new Map<string, PageLight>();

function smooth<T extends Texture>(texture: T): T {
  texture.format = RGBAFormat;
  texture.type = FloatType;
  texture.minFilter = LinearFilter;
  texture.magFilter = LinearFilter;
  texture.colorSpace = LinearSRGBColorSpace;
  texture.needsUpdate = true;
  return texture;
}

/** A light as encode-light.ts writes it: sky, sharp reflection, rough reflections; the sky is used in Node. */
async function lightOf(name: string): Promise<PageLight> {
  const known = lights.get(name);
  if (known !== undefined) return known;
  const buffer = await (await fetch(`light/${name}`)).arrayBuffer();
  const size = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size))) as LightHeader;
  const [sky, sharp, rough] = header.lengths as [number, number, number];
  const from = 4 + size + 4 * sky;
  const side = SHARP_TILE + 2;
  const layer = ROUGH_TILE + 2;
  const made = {
    sun: header.sun,
    sharp: smooth(new DataTexture(new Float32Array(buffer, from, sharp), side, side)),
    rough: smooth(
      new Data3DTexture(new Float32Array(buffer, from + 4 * sharp, rough), layer, layer, rough / (4 * layer * layer)),
    ),
  };
  lights.set(name, made);
  return made;
}

async function floorOf(name: string): Promise<ShaderMaterial> {
  const known = floors.get(name);
  if (known !== undefined) return known;
  const texture = await new TextureLoader().loadAsync(`floor/${name}.png`);
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = RepeatWrapping;
  texture.wrapT = RepeatWrapping;
  texture.flipY = false;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.needsUpdate = true;
  const made = kit.surface({ ...PAINT, map: texture }, 'front');
  floors.set(name, made);
  return made;
}

function cameraOf(camera: Camera): ThreeCamera {
  const made = new ThreeCamera();
  made.matrixAutoUpdate = false;
  made.matrixWorldAutoUpdate = false;
  const [right, up, back] = [camera.right, camera.up, camera.back].map((axis) => new Vector3(...axis)) as [
    Vector3,
    Vector3,
    Vector3,
  ];
  made.matrixWorld.makeBasis(right, up, back).setPosition(...camera.eye);
  made.matrix.copy(made.matrixWorld);
  made.matrixWorldInverse.copy(made.matrixWorld).invert();
  const half = camera.tangent * camera.near;
  made.projectionMatrix.makePerspective(-half, half, half, -half, camera.near, camera.far);
  made.projectionMatrixInverse.copy(made.projectionMatrix).invert();
  return made;
}

/** Draws the sheared parallel views of the sun's disc into their tiles, as the renderer's session does. */
function castShadow(scene: Scene, sun: NonNullable<PageLight['sun']>, box: JobHeader['box']): void {
  const low = new Vector3(...(box.min as [number, number, number]));
  const high = new Vector3(...(box.max as [number, number, number]));
  const centre = low.clone().add(high).multiplyScalar(0.5);
  const radius = 0.5 * high.distanceTo(low);
  const rim = Math.tan(Math.SQRT2 * sun.radius);
  const half = radius * (1 + 1.01 * rim);
  const reach = 2.02 * radius;
  const direction = new Vector3(...sun.direction);
  const camera = new OrthographicCamera(-half, half, half, -half, 0, reach);
  camera.position.copy(centre).addScaledVector(direction, reach / 2);
  camera.lookAt(centre);
  camera.updateMatrixWorld();
  uniforms.sunDirection.value.copy(direction);
  uniforms.sunIrradiance.value.set(...sun.irradiance);
  uniforms.sunShear.value = (rim * reach) / half;
  uniforms.sunTexel.value = (2 * half) / SHADOW_TILE;
  uniforms.sunMatrix.value.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const upright = camera.projectionMatrix.clone();
  renderer.setRenderTarget(shadow);
  renderer.clear();
  SUN_POINTS.forEach(([x, y], index) => {
    const shear = new Matrix4();
    shear.elements[8] = -x * rim;
    shear.elements[9] = -y * rim;
    shear.elements[12] = (-x * rim * reach) / 2;
    shear.elements[13] = (-y * rim * reach) / 2;
    camera.projectionMatrix.multiplyMatrices(upright, shear);
    camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
    const row = Math.floor(index / SUN_TILES);
    shadow.viewport.set(SHADOW_TILE * (index % SUN_TILES), SHADOW_TILE * row, SHADOW_TILE, SHADOW_TILE);
    renderer.setRenderTarget(shadow);
    renderer.render(scene, camera);
  });
}

/** Draws one job; RGBA of `resolution` squared, then ids of 96 squared, top row first. */
async function draw(buffer: ArrayBuffer): Promise<Blob> {
  const { header, arrays } = unpackJob(buffer);
  const [positions, normals, tints, surfaces, uvs, identities, indices, volume] = arrays as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Uint32Array,
    Float32Array,
  ];
  const attributes = {
    position: new BufferAttribute(positions, 3),
    normal: new BufferAttribute(normals, 3),
    tint: new BufferAttribute(tints, 3),
    surface: new BufferAttribute(surfaces, 4),
    uv: new BufferAttribute(uvs, 2),
    id: new BufferAttribute(identities, 1),
  };
  const geometry = new BufferGeometry();
  for (const [name, attribute] of Object.entries(attributes)) geometry.setAttribute(name, attribute);
  geometry.setIndex(new BufferAttribute(indices, 1));
  // Runs of visible sections: 0 plain, 1 the floor.
  for (const { name, start, count } of header.sections)
    if (count > 0 && !header.hidden.includes(name))
      geometry.addGroup(start, count, name === 'floor' && header.texture !== null ? 1 : 0);
  const materials: Material[] = [plain, header.texture === null ? plain : await floorOf(header.texture)];
  const mesh = new Mesh<BufferGeometry, Material[]>(geometry, [depth, depth]);
  mesh.frustumCulled = false;
  const scene = new Scene();
  scene.add(mesh);
  const light = await lightOf(header.lighting);
  uniforms.sharpSky.value = light.sharp;
  uniforms.roughSky.value = light.rough;
  const { nx, ny, nz, size, origin } = header.lattice;
  // The shader reads cube roots, as volume-texture.ts writes them; here as floats, so their scale is 1.
  for (let i = 0; i < volume.length; i += 1) if ((i & 3) !== 3) volume[i] = Math.cbrt(volume[i]!);
  const texture = smooth(new Data3DTexture(volume, nx, ny, 6 * nz));
  uniforms.volume.value = texture;
  uniforms.volumeOrigin.value.set(origin[0]!, origin[1]!, origin[2]!);
  uniforms.volumeCells.value.set(nx, ny, nz);
  uniforms.volumeCell.value = size;
  uniforms.sunlit.value = light.sun !== null;
  if (light.sun !== null) castShadow(scene, light.sun, header.box);
  const camera = cameraOf(header.camera);
  const resolution = header.resolution;
  let drawn = linear.get(resolution);
  if (drawn === undefined) {
    drawn = target(resolution, { type: HalfFloatType, samples: 4 });
    linear.set(resolution, drawn);
  }
  let output = developed.get(resolution);
  if (output === undefined) {
    output = target(resolution, { type: UnsignedByteType });
    developed.set(resolution, output);
  }
  renderer.setClearColor(0x000000, 0);
  renderer.setRenderTarget(drawn);
  renderer.clear();
  // Depth first, then every pixel is shaded once.
  renderer.render(scene, camera);
  mesh.material = materials;
  renderer.render(scene, camera);
  develop.uniforms['linear']!.value = drawn.texture;
  develop.uniforms['exposure']!.value = header.exposure;
  renderer.setRenderTarget(output);
  renderer.render(screen, flat);
  const pixels = new Uint8Array(4 * resolution * resolution);
  renderer.readRenderTargetPixels(output, 0, 0, resolution, resolution, pixels);
  mesh.material = [identity, identity];
  renderer.setRenderTarget(ids);
  renderer.clear();
  renderer.render(scene, camera);
  const marks = new Uint8Array(4 * FINAL_SIZE * FINAL_SIZE);
  renderer.readRenderTargetPixels(ids, 0, 0, FINAL_SIZE, FINAL_SIZE, marks);
  geometry.dispose();
  texture.dispose();
  return new Blob([flipped(pixels, resolution, 4), flipped(marks, FINAL_SIZE, 1)]);
}

/** Top row first; keeps the first `keep` of four channels. */
function flipped(pixels: Uint8Array, side: number, keep: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(keep * side * side);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1)
      for (let channel = 0; channel < keep; channel += 1)
        out[keep * (y * side + x) + channel] = pixels[4 * ((side - 1 - y) * side + x) + channel]!;
  return out;
}

async function run(): Promise<void> {
  let next = fetch('job');
  for (;;) {
    const response = await next;
    if (response.status === 204) break;
    const buffer = await response.arrayBuffer();
    next = fetch('job');
    const started = performance.now();
    const picture = await draw(buffer);
    const spent = performance.now() - started;
    await fetch(`picture?job=${response.headers.get('x-job')}&ms=${spent.toFixed(1)}`, {
      method: 'POST',
      body: picture,
    });
  }
}

run().then(
  () => fetch('done', { method: 'POST' }),
  (error: unknown) => fetch('done', { method: 'POST', body: String((error as Error).stack ?? error) }),
);
