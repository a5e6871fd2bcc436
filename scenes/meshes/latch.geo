// One half of the latch: a plate with two pins and two conical holes. Front face at z = 0, pins towards +z. m
//
// latch.node and latch.ele beside this file are its mesh, 1,102 nodes and 3,335 tetrahedra, made by gmsh 4.8.4 with
//
//   gmsh -3 -format msh2 -o latch.msh latch.geo
//   awk '/^\$End/ {part = ""; next}
//        /^\$/ {part = $1; getline; if (part == "$Nodes") print $1, 3, 0, 0 > "latch.node"; next}
//        part == "$Nodes" {print $1 - 1, $2, $3, $4 > "latch.node"}
//        part == "$Elements" && $2 == 4 {ele[count++] = ($(NF-3) - 1) " " ($(NF-2) - 1) " " ($(NF-1) - 1) " " ($NF - 1)}
//        END {print count, 4, 0 > "latch.ele"; for (i = 0; i < count; i++) print i, ele[i] > "latch.ele"}' latch.msh
SetFactory("OpenCASCADE");
If (!Exists(lc)) lc = 0.011; EndIf
w = 0.17; t = 0.02; a = 0.045;
rs = 0.014;   // shaft
rb = 0.022;   // bulge
rt = 0.006;   // tip
rc = 0.020;   // cuff
hc = 0.004;   // height of the cuff
rh = 0.017;   // hole, smallest radius, at the back
rf = 0.027;   // hole, at the front
L  = 0.023;   // from the plate to the shoulder: slightly more than t
ds = 0.004;   // shoulder
dn = 0.018;   // nose
Box(1) = {-w/2, -w/2, -t, w, w, t};
Cone(2) = { a,  a, 0, 0, 0, -t, rf, rh};
Cone(3) = {-a, -a, 0, 0, 0, -t, rf, rh};
BooleanDifference(10) = { Volume{1}; Delete; }{ Volume{2}; Volume{3}; Delete; };
For k In {0:1}
  x = (k == 0) ? -a : a; y = -x;
  Cone(20+10*k) = {x, y, 0, 0, 0, hc, rc, rs};
  Cylinder(21+10*k) = {x, y, 0, 0, 0, L, rs};
  Cone(22+10*k) = {x, y, L, 0, 0, ds, rs, rb};
  Cone(23+10*k) = {x, y, L+ds, 0, 0, dn, rb, rt};
EndFor
BooleanUnion(100) = { Volume{10}; Delete; }{ Volume{20:23}; Volume{30:33}; Delete; };
Mesh.CharacteristicLengthMin = lc*0.6; Mesh.CharacteristicLengthMax = lc;
Mesh.CharacteristicLengthFromCurvature = 0; Mesh.MinimumCirclePoints = 8;
Mesh.Optimize = 1; Mesh.OptimizeNetgen = 0;
