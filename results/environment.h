// Where and when a result was taken.
#pragma once

#include <string>

#include "core/device.h"
#include "results/result.h"

namespace spindle::results {

// This machine, now; `driver` is how the client library describes itself, empty where none was used.
Environment current_environment(const std::string& driver);

// The part of a device's description that a result keeps.
Device device_of(const core::DeviceInfo& info);

// Whether they are one device, or have a disk in common beneath them. False where that is unknown.
bool share_disk(const Device& a, const Device& b);

// "2026-03-01T12:00:00Z"
std::string utc_timestamp();

// Makes a file in the directory and removes it again, and the directory as well if it was not there. Throws
// std::runtime_error that names the directory and the reason: before a measurement, not after it.
void require_writable(const std::string& directory);

// A path "DIRECTORY/STEM-20260301-120000.json" that does not exist yet; the directory is made if need be. Throws
// std::runtime_error where it cannot be made.
std::string new_result_path(const std::string& directory, const std::string& stem);

}  // namespace spindle::results
