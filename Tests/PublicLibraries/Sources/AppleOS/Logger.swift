/// A logger that writes nothing.
public struct Logger: Sendable {
    public init(subsystem: String, category: String) {}
    public init(_ log: OSLog) {}

    public func debug(_ message: OSLogMessage) {}
    public func info(_ message: OSLogMessage) {}
    public func warning(_ message: OSLogMessage) {}
    public func error(_ message: OSLogMessage) {}
}

public enum OSLog: Sendable {
    case disabled
}

public struct OSLogPrivacy: Sendable {
    public static let `public` = OSLogPrivacy()
    public static let `private` = OSLogPrivacy()
}

public struct OSLogFloatFormatting: Sendable {
    public static func fixed(precision: Int) -> Self { Self() }
}

/// A text with values and their privacy.
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
    public struct StringInterpolation: StringInterpolationProtocol {
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) {}
        public mutating func appendInterpolation<Value>(
            _ value: @autoclosure () -> Value, privacy: OSLogPrivacy = .private
        ) {}
        public mutating func appendInterpolation(
            _ value: @autoclosure () -> Double, format: OSLogFloatFormatting, privacy: OSLogPrivacy = .private
        ) {}
    }

    public init(stringLiteral: String) {}
    public init(stringInterpolation: StringInterpolation) {}
}
