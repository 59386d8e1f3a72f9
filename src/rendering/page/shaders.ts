import { AGX_GLSL } from '../agx.ts';
import { REFLECTION_ROUGHNESS, ROUGH_TILE, SHARP_TILE } from '../light/reflections.ts';

/** World-space vertices with their surface baked in: no per-object state at all. */
export const SURFACE_VERTEX = `
in vec3 tint;
in vec4 surface;
out vec3 vPlane;
// Centroid: at an edge the pixel's middle may lie outside the triangle, where a normal or a colour means nothing.
centroid out vec3 vPosition;
centroid out vec3 vNormal;
centroid out vec3 vTint;
centroid out vec4 vSurface;
out vec2 vUv;
// The depth pass and the shading pass must agree to the bit.
invariant gl_Position;
void main() {
  vPlane = position;
  vPosition = position;
  vNormal = normal;
  vTint = tint;
  vSurface = surface;
  vUv = uv;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}
`;

/** As SURFACE_VERTEX, but only what the depth needs. */
export const DEPTH_VERTEX = `
in vec4 surface;
out float vOpacity;
out vec2 vUv;
invariant gl_Position;
void main() {
  vOpacity = surface.w;
  vUv = uv;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}
`;

const LAYERS = REFLECTION_ROUGHNESS.length + 1;

/** Reads the reflections that prepare-light.ts makes. */
const ENVIRONMENT_GLSL = `
uniform sampler2D sharpSky;
uniform highp sampler3D roughSky;
vec2 octahedral(vec3 d) {
  d /= abs(d.x) + abs(d.y) + abs(d.z);
  vec2 p = d.xz;
  if (d.y < 0.0) p = (1.0 - abs(d.zx)) * vec2(d.x < 0.0 ? -1.0 : 1.0, d.z < 0.0 ? -1.0 : 1.0);
  return 0.5 * p + 0.5;
}
vec3 reflection(vec3 r, float roughness) {
  vec2 p = octahedral(r);
  float level = roughness * ${REFLECTION_ROUGHNESS.length.toFixed(1)};
  vec2 inside = (1.0 + p * ${ROUGH_TILE.toFixed(1)}) * ${(1 / (ROUGH_TILE + 2)).toFixed(9)};
  vec3 found = texture(roughSky, vec3(inside, (max(level, 1.0) - 0.5) * ${(1 / LAYERS).toFixed(9)})).rgb;
  if (level < 1.0) found = mix(texture(sharpSky, (1.0 + p * ${SHARP_TILE.toFixed(1)}) * ${(1 / (SHARP_TILE + 2)).toFixed(9)}).rgb, found, level);
  return found;
}
`;

/** Reads the light volume: an ambient cube (irradiance on six faces) at every cell of a lattice. */
const VOLUME_GLSL = `
uniform highp sampler3D volume;
uniform vec3 volumeOrigin;
uniform vec3 volumeCells;
uniform float volumeCell;
uniform float volumeScale;
vec4 cubeFace(vec3 cell, float face) {
  cell.z = clamp(cell.z, 0.5, volumeCells.z - 0.5) + face * volumeCells.z;
  vec4 found = texture(volume, cell / vec3(volumeCells.xy, 6.0 * volumeCells.z));
  return vec4(found.rgb * found.rgb * found.rgb, found.a);
}
/** Irradiance on a surface at p facing n (rgb) and the unblocked share of the sky (a). */
vec4 lightAt(vec3 p, vec3 n) {
  vec3 cell = (p - volumeOrigin) / volumeCell;
  vec3 square = n * n;
  vec4 light = square.x * cubeFace(cell, n.x > 0.0 ? 0.0 : 1.0) + square.y * cubeFace(cell, n.y > 0.0 ? 2.0 : 3.0) + square.z * cubeFace(cell, n.z > 0.0 ? 4.0 : 5.0);
  return vec4(light.rgb * volumeScale, light.a);
}
`;

/** Reads what fine-light.ts knows: contact on the floor, and the walls and floor that a mirror shows. */
const FINE_GLSL = `
uniform sampler2D contact;
uniform vec2 contactOrigin;
uniform vec2 contactScale;
uniform vec3 roomMin;
uniform vec3 roomMax;
uniform vec4 roomSides[6];
/** Light left on the floor, and on rugs, by what stands there. */
float contactAt(vec3 p, vec3 n) {
  if (contactScale.x == 0.0 || p.y > 0.03 || p.y < -0.005 || n.y < 0.9) return 1.0;
  return texture(contact, (p.xz - contactOrigin) * contactScale).r;
}
/** What a ray from inside the room meets of its sides; alpha 0 when it leaves through an open one. */
vec4 roomAlong(vec3 p, vec3 r) {
  vec3 slope = mix(r, vec3(1e-6), lessThan(abs(r), vec3(1e-6)));
  vec3 ways = (mix(roomMin, roomMax, step(0.0, slope)) - p) / slope;
  float way = min(ways.x, min(ways.y, ways.z));
  if (way < 0.01) return vec4(0.0);
  int axis = way == ways.x ? 0 : way == ways.y ? 1 : 2;
  vec4 side = roomSides[2 * axis + (slope[axis] > 0.0 ? 0 : 1)];
  if (side.a == 0.0) return vec4(0.0);
  vec3 inward = vec3(0.0);
  inward[axis] = -sign(slope[axis]);
  vec3 arriving = lightAt(p + slope * way + inward * (0.5 * volumeCell), inward).rgb;
  return vec4(side.rgb * arriving * ${(1 / Math.PI).toFixed(9)}, 1.0);
}
`;

/** Tiles a side of the sun's shadow atlas: one parallel view for each point of the sun's disc. */
export const SUN_TILES = 4;
/** Points of the sun's disc, evenly spread, radius 1. */
export const SUN_POINTS = Array.from({ length: SUN_TILES ** 2 }, (_, index): readonly [number, number] => {
  const radius = Math.sqrt((index + 0.5) / SUN_TILES ** 2);
  const angle = index * Math.PI * (3 - Math.sqrt(5));
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
});

const SUN_GLSL = `
uniform bool sunlit;
uniform vec3 sunDirection;
uniform vec3 sunIrradiance;
uniform mat4 sunMatrix;
uniform float sunShear; // shift of a tile's picture per unit of depth, at the rim of the disc
uniform float sunTexel;
uniform highp sampler2DShadow sunShadow;
/** Share of the sun's disc that is seen: each point of the disc has its own sheared parallel view of the scene. */
float sunSeen(vec3 p, vec3 n) {
  const vec2 points[${SUN_TILES ** 2}] = vec2[](${SUN_POINTS.map(([x, y]) => `vec2(${x.toFixed(6)}, ${y.toFixed(6)})`).join(', ')});
  vec3 s = (sunMatrix * vec4(p + n * sunTexel * 1.5, 1.0)).xyz;
  float depth = s.z * 0.5 + 0.5;
  float seen = 0.0;
  for (int i = 0; i < ${SUN_TILES ** 2}; i++) {
    vec2 tile = vec2(float(i % ${SUN_TILES}), float(i / ${SUN_TILES}));
    vec2 at = clamp((s.xy - points[i] * sunShear * (0.5 - depth)) * 0.5 + 0.5, 0.001, 0.999);
    seen += texture(sunShadow, vec3((tile + at) * ${(1 / SUN_TILES).toFixed(6)}, depth - 0.0006));
  }
  return seen * ${(1 / SUN_TILES ** 2).toFixed(6)};
}
`;

/** Principled surface: Lambert + GGX, F0 0.04 or the metal's colour; premultiplied linear output. */
export const SURFACE_FRAGMENT = `
precision highp float;
precision highp sampler3D;
in vec3 vPlane; // as vPosition, but exact under derivatives
centroid in vec3 vPosition;
centroid in vec3 vNormal;
centroid in vec3 vTint;
centroid in vec4 vSurface; // roughness, metalness, emission strength, opacity
in vec2 vUv;
layout(location = 0) out vec4 colour;
${ENVIRONMENT_GLSL}
${VOLUME_GLSL}
${FINE_GLSL}
${SUN_GLSL}
#ifdef TEXTURED
uniform sampler2D baseMap;
uniform bool hasBaseMap;
uniform sampler2D normalMap;
uniform bool hasNormalMap;
uniform vec2 normalScale;
uniform sampler2D surfaceMap;
uniform bool hasSurfaceMap;
uniform sampler2D emissionMap;
uniform bool hasEmissionMap;
uniform vec3 emission;
uniform float alphaTest;
#endif
/** Directional albedo of the GGX lobe for F0 = 0 and 1 (fit of the split-sum integral by Karis). */
vec2 specularScale(float roughness, float cosine) {
  vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
  float a = min(r.x * r.x, exp2(-9.28 * cosine)) * r.x + r.y;
  return vec2(-1.04, 1.04) * a + r.zw;
}
void main() {
  vec3 view = normalize(cameraPosition - vPosition);
  // Both sides are drawn. Windings agree with normals (merge-meshes.ts), so this is the side that is seen.
  vec3 n = normalize(gl_FrontFacing ? vNormal : -vNormal);
  vec3 smoothNormal = n;
  vec3 base = vTint;
  float alpha = vSurface.w;
  float roughness = vSurface.x;
  float metalness = vSurface.y;
  vec3 glow = vTint * vSurface.z;
#ifdef TEXTURED
  if (hasBaseMap) {
    vec4 texel = texture(baseMap, vUv);
    base *= texel.rgb;
    glow *= texel.rgb;
    alpha *= texel.a;
  }
  if (alpha < alphaTest) discard;
  if (alphaTest > 0.0) alpha = 1.0;
  if (hasSurfaceMap) {
    vec4 texel = texture(surfaceMap, vUv);
    roughness *= texel.g;
    metalness *= texel.b;
  }
  glow += emission * (hasEmissionMap ? texture(emissionMap, vUv).rgb : vec3(1.0));
  if (hasNormalMap) {
    vec3 bump = texture(normalMap, vUv).xyz * 2.0 - 1.0;
    bump.xy *= normalScale;
    vec3 dx = dFdx(vPlane);
    vec3 dy = dFdy(vPlane);
    vec2 ux = dFdx(vUv);
    vec2 uy = dFdy(vUv);
    // Tangent frame from screen derivatives: the files need no tangents.
    vec3 px = cross(dy, n);
    vec3 py = cross(n, dx);
    vec3 t = px * ux.x + py * uy.x;
    vec3 b = px * ux.y + py * uy.y;
    float scale = max(dot(t, t), dot(b, b));
    if (scale > 0.0) {
      float handed = dot(cross(dx, dy), n) < 0.0 ? -1.0 : 1.0;
      n = normalize((t * bump.x + b * bump.y) * (handed * inversesqrt(scale)) + n * bump.z);
    }
  }
#endif
  roughness = clamp(roughness, 0.03, 1.0);
  float cosine = clamp(dot(n, view), 1e-3, 1.0);
  vec3 f0 = mix(vec3(0.04), base, metalness);
  vec3 diffuse = base * (1.0 - metalness);
  vec2 scale = specularScale(roughness, cosine);
  vec3 specular = f0 * scale.x + scale.y;

  vec3 at = vPosition + smoothNormal * (0.5 * volumeCell);
  vec4 arriving = lightAt(at, n);
  arriving.rgb *= contactAt(vPosition, smoothNormal);
  vec3 light = diffuse * arriving.rgb * ${(1 / Math.PI).toFixed(9)};
  // Reflections: the sky as far as it is seen that way, else the light that arrives there.
  vec3 mirrored = reflect(-view, n);
  vec3 lobe = normalize(mix(mirrored, n, roughness * roughness));
  vec4 around = lightAt(at, lobe);
  vec3 shown = mix(around.rgb * ${(1 / Math.PI).toFixed(9)}, reflection(lobe, roughness), around.a);
  if (roughness < 0.5) {
    vec4 side = roomAlong(at, mirrored);
    shown = mix(shown, side.rgb, side.a * (1.0 - smoothstep(0.2, 0.5, roughness)));
  }
  light += specular * shown;
  if (sunlit) {
    float facing = dot(n, sunDirection);
    if (facing > 0.0 && dot(smoothNormal, sunDirection) > 0.0) {
      float seen = sunSeen(vPosition, smoothNormal);
      vec3 h = normalize(view + sunDirection);
      float alpha2 = pow(max(roughness, 0.08), 4.0);
      float nh = max(dot(n, h), 0.0);
      float d = nh * nh * (alpha2 - 1.0) + 1.0;
      float distribution = alpha2 / (3.14159265 * d * d);
      float visible = 0.5 / max(mix(2.0 * facing * cosine, facing + cosine, sqrt(alpha2)), 1e-4);
      vec3 fresnel = f0 + (1.0 - f0) * pow(1.0 - max(dot(view, h), 0.0), 5.0);
      light += sunIrradiance * facing * seen * (diffuse * ${(1 / Math.PI).toFixed(9)} + fresnel * min(distribution * visible, 50.0));
    }
  }
  // An unlit surface shows its colour and nothing else.
  light = light * (1.0 - vSurface.z) + glow;
  colour = vec4(min(light, vec3(60000.0)) * alpha, alpha);
}
`;

/** Depth only: before shading, and for the sun's shadow map. */
export const DEPTH_FRAGMENT = `
precision highp float;
in float vOpacity;
in vec2 vUv;
#ifdef TEXTURED
uniform sampler2D baseMap;
uniform bool hasBaseMap;
uniform float alphaTest;
#endif
out vec4 nothing;
void main() {
  float alpha = vOpacity;
#ifdef TEXTURED
  if (hasBaseMap) alpha *= texture(baseMap, vUv).a;
  if (alpha < max(alphaTest, 0.0)) discard;
#endif
  if (alpha < 0.5) discard;
  nothing = vec4(1.0);
}
`;

export const SCREEN_VERTEX = `
out vec2 vUv;
void main() {
  vUv = uv;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}
`;

/** Un-premultiply, exposure, AgX, sRGB; alpha untouched. */
export const DEVELOP_FRAGMENT = `
precision highp float;
in vec2 vUv;
uniform sampler2D linear;
uniform float exposure;
out vec4 colour;
${AGX_GLSL}
void main() {
  vec4 texel = texture(linear, vUv);
  vec3 straight = texel.a > 0.0 ? texel.rgb / texel.a : vec3(0.0);
  colour = vec4(agx(straight * exposure), clamp(texel.a, 0.0, 1.0));
}
`;

/** Mean colour of a texture: its smallest mip level. */
export const MEAN_FRAGMENT = `
precision highp float;
in vec2 vUv;
uniform sampler2D source;
out vec4 colour;
void main() {
  vec4 sum = vec4(0.0);
  for (int y = 0; y < 8; y++) for (int x = 0; x < 8; x++) {
    vec4 texel = textureLod(source, (vec2(float(x), float(y)) + 0.5) / 8.0, max(0.0, log2(float(max(textureSize(source, 0).x, textureSize(source, 0).y)) / 8.0)));
    sum += vec4(texel.rgb * texel.a, texel.a);
  }
  colour = vec4(sum.a > 0.0 ? sum.rgb / sum.a : vec3(0.5), sum.a / 64.0);
}
`;
