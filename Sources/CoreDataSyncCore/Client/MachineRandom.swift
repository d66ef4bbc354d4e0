/// The machine's generator, for code that is generic over generators.
struct MachineRandom: RandomNumberGenerator {
    var generator: any RandomNumberGenerator & Sendable

    init(_ generator: any RandomNumberGenerator & Sendable) {
        self.generator = generator
    }

    mutating func next() -> UInt64 { generator.next() }
}
