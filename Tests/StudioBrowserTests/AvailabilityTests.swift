#if Studio
import Foundation
import Testing

@Suite("Browser")
struct AvailabilityTests {
    @Test("continuous integration has a browser, so that no story is skipped there")
    func available() {
        #expect(WebDriver.isInstalled || ProcessInfo.processInfo.environment["CI"] == nil)
    }
}
#endif
