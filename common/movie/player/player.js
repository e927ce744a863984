// The state of the playback.

class Player extends View {
  constructor(moments, camera, parts) {
    super(camera, parts);
    this.moments = moments;
    this.moment = 0; // number of a frame, or a fraction between two
    this.playing = false;
    this.speed = 1;
    // Shows the whole movie in 20 s, but no faster than the eye can follow.
    this.framesPerSecond = Math.min(60, Math.max(4, moments.length / 20));
  }

  get last() {
    return this.moments.length - 1;
  }

  seek(moment) {
    this.moment = Math.min(this.last, Math.max(0, moment));
    this.touch();
  }

  // Goes to the next whole frame, forward or back.
  stepBy(frames) {
    this.playing = false;
    this.seek(frames > 0 ? Math.floor(this.moment) + frames : Math.ceil(this.moment) + frames);
  }

  toggle() {
    this.playing = !this.playing && this.last > 0;
    this.touch();
  }

  // After the last frame the movie starts again.
  advance(seconds) {
    if (!this.playing) return;
    const next = this.moment + seconds * this.speed * this.framesPerSecond;
    this.seek(next > this.last ? 0 : next);
  }

  get time() {
    const k = Math.min(Math.floor(this.moment), Math.max(0, this.last - 1));
    const [a, b] = [this.moments[k].time, this.moments[Math.min(k + 1, this.last)].time];
    return a + (this.moment - k) * (b - a);
  }

  get energyDrift() {
    return this.moments[Math.floor(this.moment)].energyDrift;
  }
}
