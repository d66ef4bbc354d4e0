public import XCTest

extension XCTestCase {
    /// Waits without a limit of its own on Apple's systems; a minute is one here.
    public func wait(for expectations: [XCTestExpectation]) {
        wait(for: expectations, timeout: 60)
    }
}
