/**
 * The Python that runs inside Blender (3.4 to 4.x): one JSON request a line on stdin (`load`, then any number of `draw`),
 * answers as lines that begin with PARALLAX on stdout. Cycles on the CPU, film transparent, no denoiser, no adaptive
 * sampling, seed 0; pictures are saved as linear 32-bit EXR, so that the view transform is ours, whatever the version.
 */
export const BLENDER_SCRIPT = String.raw`# Runs inside Blender: takes one JSON request a line on stdin, answers with "PARALLAX <json>" lines on stdout.
import json
import math
import os
import sys

import bpy
import mathutils
import numpy

# Debian's Blender 3.4 meets a numpy without these names; its glTF importer still uses them.
for name, kind in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if name not in numpy.__dict__:
        setattr(numpy, name, kind)


def die_with_parent():
    """Linux: the kernel kills us when the process that started us ends, kill -9 included."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(1, 9)
    except Exception:
        pass


def answer(value):
    sys.stdout.write("PARALLAX " + json.dumps(value) + "\n")
    sys.stdout.flush()


def to_blender(vector):
    return mathutils.Vector((vector[0], -vector[2], vector[1]))


def load(request):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=request["glb"])
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.samples = request["samples"]
    cycles.use_adaptive_sampling = False
    cycles.use_denoising = False
    cycles.seed = 0
    scene.render.film_transparent = True
    scene.render.use_persistent_data = True
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_mode = "RGBA"
    scene.render.image_settings.color_depth = "32"
    scene.render.image_settings.exr_codec = "ZIP"
    for light in [item for item in scene.objects if item.type in {"LIGHT", "CAMERA"}]:
        bpy.data.objects.remove(light)
    world = bpy.data.worlds.new("world")
    scene.world = world
    world.use_nodes = True
    nodes = world.node_tree.nodes
    nodes.clear()
    image = nodes.new("ShaderNodeTexEnvironment")
    background = nodes.new("ShaderNodeBackground")
    output = nodes.new("ShaderNodeOutputWorld")
    world.node_tree.links.new(image.outputs["Color"], background.inputs["Color"])
    world.node_tree.links.new(background.outputs["Background"], output.inputs["Surface"])
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.sensor_fit = "HORIZONTAL"
    camera.data.sensor_width = 36.0
    scene.collection.objects.link(camera)
    scene.camera = camera
    answer({"loaded": len(scene.objects)})


def family(item):
    yield item
    for child in item.children:
        yield from family(child)


def draw(request):
    scene = bpy.context.scene
    hidden = set(request["hidden"])
    for item in scene.objects:
        # Blender appends .001 to a name it has seen; ours are unique per wall.
        name = item.name.split(".")[0]
        if not name.startswith("parallaxwall"):
            continue
        for part in family(item):
            part.hide_render = name in hidden
            for ray in ("visible_diffuse", "visible_glossy", "visible_transmission", "visible_volume_scatter", "visible_shadow"):
                setattr(part, ray, request["wallsBlockLight"])
    camera = scene.camera
    right, up, back, eye = (to_blender(request["camera"][key]) for key in ("right", "up", "back", "eye"))
    matrix = mathutils.Matrix.Identity(4)
    for row in range(3):
        matrix[row][0], matrix[row][1], matrix[row][2], matrix[row][3] = right[row], up[row], back[row], eye[row]
    camera.matrix_world = matrix
    camera.data.lens = 18.0 / request["camera"]["tangent"]
    camera.data.clip_start = request["camera"]["near"]
    camera.data.clip_end = request["camera"]["far"]
    nodes = scene.world.node_tree.nodes
    nodes["Environment Texture"].image = bpy.data.images.load(request["map"], check_existing=True)
    nodes["Background"].inputs["Strength"].default_value = request["strength"]
    scene.render.resolution_x = request["resolution"]
    scene.render.resolution_y = request["resolution"]
    scene.render.filepath = request["out"]
    bpy.ops.render.render(write_still=True)
    answer({"drawn": request["id"]})


die_with_parent()
answer({"ready": ".".join(str(part) for part in bpy.app.version)})
for line in sys.stdin:
    line = line.strip()
    if not line:
        continue
    try:
        request = json.loads(line)
        {"load": load, "draw": draw}[request["do"]](request)
    except Exception as error:
        answer({"error": "{}: {}".format(type(error).__name__, error)[:500]})
os._exit(0)
`;
