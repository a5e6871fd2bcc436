// A bar whose top is an arc, with groups of every dimension, one of them without a name, and its volume in two.
//   gmsh -3 -order N -format msh22 bar.geo -o bar-2.2-N.msh      gmsh -3 -order N -format msh41 bar.geo -o bar-4.1-N.msh
Point(1) = {-0.3, 0, 0};
Point(2) = {0.3, 0, 0};
Point(3) = {0, -0.4, 0};
Line(1) = {1, 2};
Circle(2) = {2, 3, 1};
Curve Loop(1) = {1, 2};
Plane Surface(1) = {1};
end[] = Extrude {0, 0, 0.2} { Surface{1}; };
Physical Volume("bar", 9) = {1};
Physical Volume("all of it", 4) = {1};
Physical Surface("ends", 2) = {1, end[0]};
Physical Curve(5) = {2};
Physical Point("corner", 6) = {1};
Mesh.MeshSizeMin = 0.3;
Mesh.MeshSizeMax = 0.3;
