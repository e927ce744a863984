// The solar system at J2000.
#include <cmath>

#include "bodies/centre.hpp"
#include "bodies/scenes.hpp"

namespace nbody {

namespace {

/// Keplerian elements at J2000, mean ecliptic and equinox of J2000; angles in degrees.
struct Planet {
  double semiMajorAxis;  ///< AU
  double eccentricity;
  double inclination;
  double meanLongitude;
  double perihelion;  ///< its longitude
  double node;  ///< longitude of the ascending node
  double massRatio;  ///< the Sun's mass over the planet's
};

constexpr Planet kPlanets[] = {
    {0.38709927, 0.20563593, 7.00497902, 252.25032350, 77.45779628, 48.33076593, 6023600},
    {0.72333566, 0.00677672, 3.39467605, 181.97909950, 131.60246718, 76.67984255, 408523.71},
    {1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0.0, 328900.56},
    {1.52371034, 0.09339410, 1.84969142, -4.55343205, -23.94362959, 49.55953891, 3098708},
    {5.20288700, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909, 1047.3486},
    {9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448, 3497.898},
    {19.18916464, 0.04725744, 0.77263783, 313.23810451, 170.95427630, 74.01692503, 22902.98},
    {30.06992276, 0.00859048, 1.77004347, -55.12002969, 44.96476227, 131.78422574, 19412.24},
};

/// Kepler's equation E - e sin E = M by Newton's method; eight rounds reach the last bit for e up
/// to 0.21.
double eccentricAnomaly(double meanAnomaly, double eccentricity) {
  double anomaly = meanAnomaly + eccentricity * std::sin(meanAnomaly);
  for (int i = 0; i < 8; ++i)
    anomaly -= (anomaly - eccentricity * std::sin(anomaly) - meanAnomaly) /
               (1 - eccentricity * std::cos(anomaly));
  return anomaly;
}

/// A vector of the orbit's plane, x towards perihelion, in ecliptic coordinates.
Double4 toEcliptic(double x, double y, const Planet& planet) {
  const Double4 fromNode = turned({x, y, 0, 0}, 0, radians(planet.perihelion - planet.node));
  return turned(fromNode, radians(planet.inclination), radians(planet.node));
}

void addPlanet(Bodies& bodies, const Planet& planet) {
  const double a = planet.semiMajorAxis;
  const double e = planet.eccentricity;
  const double mass = 1 / planet.massRatio;
  const double anomaly = eccentricAnomaly(radians(planet.meanLongitude - planet.perihelion), e);
  const double minorOverMajor = std::sqrt(1 - e * e);
  const double rate = std::sqrt((1 + mass) / a) / (1 - e * std::cos(anomaly));
  const Double4 p =
      toEcliptic(a * (std::cos(anomaly) - e), a * minorOverMajor * std::sin(anomaly), planet);
  const Double4 v =
      toEcliptic(-rate * std::sin(anomaly), rate * minorOverMajor * std::cos(anomaly), planet);
  bodies.add({p.x, p.y, p.z, mass}, v);
}

}  // namespace

Bodies makeSolar(int, std::uint64_t) {
  Bodies bodies;
  bodies.add({0, 0, 0, 1});
  for (const Planet& planet : kPlanets) addPlanet(bodies, planet);
  centre(bodies, 0, bodies.count());
  return bodies;
}

std::vector<BodyRange> solarComponents(int) {
  const char* const names[] = {"Sun",     "Mercury", "Venus",  "Earth",  "Mars",
                               "Jupiter", "Saturn",  "Uranus", "Neptune"};
  std::vector<BodyRange> all;
  for (const char* name : names) all.push_back({name, static_cast<int>(all.size()), 1});
  return all;
}

}  // namespace nbody
